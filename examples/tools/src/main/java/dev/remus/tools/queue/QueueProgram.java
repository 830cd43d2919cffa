// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.queue;

import dev.remus.cli.cluster.Job;
import dev.remus.cli.cluster.NodeContext;
import dev.remus.cli.cluster.Program;
import dev.remus.cli.cluster.ResultsFolder;
import dev.remus.cli.cluster.RunRecord;
import dev.remus.cli.progress.Progress;
import dev.remus.config.ClusterConfig;
import dev.remus.node.ComputeThread;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSet;
import dev.remus.options.RemusOptions;
import dev.remus.tools.harness.RunProvenance;
import dev.remus.tools.harness.RunTime;
import dev.remus.tools.report.ReportExtent;
import dev.remus.tools.verify.Verification;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The program that runs a {@link QueueExperiment}. */
final class QueueProgram implements Program {
    /** The name of the program. */
    static final String NAME = "queue";

    /** A one-line summary. */
    static final String SUMMARY =
            "Threads of several nodes use one queue concurrently; then the program audits the items.";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String summary() {
        return SUMMARY;
    }

    @Override
    public OptionSet options() {
        return new OptionSet("./remus " + name(), summary() + " " + LOCAL_CLUSTER)
                .include(QueueOptions.group(), ReportExtent.group())
                .include(RemusOptions.groups())
                .example("./remus queue")
                .example("./remus queue --queue bd --num-ops 2000 --cn-threads 4")
                .example("./remus queue --queue buffered-relaxed --workload producer-consumer --capacity 16")
                .example("./remus queue --queue nd --run-time 5")
                .example("./remus queue --queue nd --verify")
                .example("./remus queue --sweep 1,2,4 --queues bd,bc")
                .example("./remus queue --fabric sim --sweep 6,12,24 --queues nd,bc # on modelled hardware");
    }

    @Override
    public Job prepare(Arguments arguments, ClusterConfig cluster) {
        if (arguments.isGiven(QueueOptions.QUEUES)) {
            throw arguments.usageError(QueueOptions.QUEUES, "--sweep; for a single run, --queue selects the queue");
        }
        QueueWorkload workload = QueueOptions.workload(arguments);
        return new Experiment(
                workload,
                QueueOptions.verifies(arguments, workload),
                RunTime.nanos(arguments, QueueOptions.WARM_UP),
                RunTime.isChosen(arguments, QueueOptions.NUM_OPS),
                arguments.get(ReportExtent.OPTION),
                arguments.toMap());
    }

    private record Experiment(
            QueueWorkload workload,
            boolean verifies,
            long warmUpNanos,
            boolean isTimeChosen,
            ReportExtent report,
            Map<String, String> options)
            implements Job {
        @Override
        public boolean leavesResults() {
            return true;
        }

        @Override
        public Optional<String> complete(Path results, RunRecord record) throws IOException {
            RunProvenance.write(results, record, QueueOptions.SEED);
            return report.complete(results, record).map(page -> "report: " + ResultsFolder.fromHere(page));
        }

        @Override
        public void run(ComputeThread ct, NodeContext context) throws IOException {
            if (isTimeChosen && ct.id() == ct.peers().leader()) {
                context.print("operations may be slow on this fabric, so each thread runs for "
                        + workload.length().seconds() + " s; to change this, set --run-time or --num-ops");
            }
            if (warmUpNanos > 0) {
                new QueueExperiment(workload.lasting(warmUpNanos), new Progress()).run(ct);
            }
            new QueueExperiment(workload, context.progress(), verifies).run(ct, result -> report(result, context));
        }

        private void report(QueueRunResult result, NodeContext context) throws IOException {
            Map<String, String> effective = new LinkedHashMap<>(options);
            RunTime.record(result.workload().length(), QueueOptions.NUM_OPS, effective);
            effective.put(
                    QueueOptions.CAPACITY.name(),
                    Integer.toString(result.workload().capacity()));
            effective.put(
                    QueueOptions.SEED.name(), Long.toString(result.workload().seed()));
            QueueFiles.write(result, effective, context.results());
            Optional<Verification> verification = result.verification();
            if (verification.isPresent()) {
                verification
                        .get()
                        .write(context.results())
                        .ifPresent(file -> context.conclude("history: " + ResultsFolder.fromHere(file)));
            }
            if (!result.isBalanced()) {
                throw new IllegalStateException("the books do not balance: " + result.books() + "; seed "
                        + result.workload().seed());
            }
            Optional<String> finding = verification.flatMap(Verification::finding);
            if (finding.isPresent()) {
                throw new IllegalStateException("the queue does not keep its promise: " + finding.get() + "; seed "
                        + result.workload().seed());
            }
            context.conclude(result.toTable() + "results: " + ResultsFolder.fromHere(context.results()));
        }
    }
}
