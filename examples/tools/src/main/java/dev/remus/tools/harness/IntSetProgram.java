// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.cli.cluster.Job;
import dev.remus.cli.cluster.NodeContext;
import dev.remus.cli.cluster.Program;
import dev.remus.cli.cluster.ResultsFolder;
import dev.remus.cli.cluster.RunRecord;
import dev.remus.config.ClusterConfig;
import dev.remus.node.ComputeThread;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSet;
import dev.remus.options.RemusOptions;
import dev.remus.tools.report.ReportExtent;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The program that runs an {@link IntSetExperiment}. */
public final class IntSetProgram implements Program {
    @Override
    public String name() {
        return "intset";
    }

    @Override
    public String summary() {
        return "Threads of several nodes update one set of integers concurrently; then the program audits the set.";
    }

    @Override
    public OptionSet options() {
        return new OptionSet("./remus " + name(), summary() + " " + LOCAL_CLUSTER)
                .include(IntSetOptions.group(), ReportExtent.group())
                .include(RemusOptions.groups())
                .example("./remus intset")
                .example("./remus intset --num-ops 10000 --insert 10 --remove 10 --cn-threads 4")
                .example("./remus intset --run-time 5 --key-ub 255")
                .example("./remus intset --verify")
                .example("./remus intset --baseline heap")
                .example("./remus intset --set cached --insert 5 --remove 5")
                .example("./remus intset --first-mn-id 5 --last-mn-id 7 --first-cn-id 5 --last-cn-id 7");
    }

    @Override
    public Job prepare(Arguments arguments, ClusterConfig cluster) {
        IntSetWorkload workload = IntSetOptions.workload(arguments);
        return new Experiment(
                IntSetOptions.factory(arguments),
                workload,
                IntSetOptions.verifies(arguments, workload),
                arguments.get(IntSetOptions.BASELINE),
                arguments.get(ReportExtent.OPTION),
                arguments.toMap());
    }

    private record Experiment(
            IntSetFactory factory,
            IntSetWorkload workload,
            boolean verifies,
            Baseline baseline,
            ReportExtent report,
            Map<String, String> options)
            implements Job {
        @Override
        public boolean leavesResults() {
            return true;
        }

        @Override
        public Optional<String> complete(Path results, RunRecord record) throws IOException {
            RunProvenance.write(results, record, IntSetOptions.SEED);
            return report.complete(results, record).map(page -> "report: " + ResultsFolder.fromHere(page));
        }

        @Override
        public void run(ComputeThread ct, NodeContext context) throws Exception {
            try {
                new IntSetExperiment(factory, workload, context.progress(), context::print, verifies)
                        .run(ct, result -> report(withBaseline(result, ct, context), context));
            } catch (UnbalancedException e) {
                write(e.result(), context);
                throw e;
            }
        }

        private void report(IntSetResult result, NodeContext context) throws IOException {
            write(result, context);
            context.conclude(new ResultTable(result) + "results: " + ResultsFolder.fromHere(context.results()));
        }

        /**
         * Runs the baseline, if requested, after the cluster's threads have finished, so that neither disturbs the
         * other.
         */
        private IntSetResult withBaseline(IntSetResult run, ComputeThread ct, NodeContext context)
                throws InterruptedException {
            return baseline == Baseline.HEAP
                    ? run.withBaseline(new HeapBaseline(run, context.progress()).run(ct))
                    : run;
        }

        private void write(IntSetResult result, NodeContext context) throws IOException {
            Map<String, String> effective = new LinkedHashMap<>(options);
            RunTime.record(result.workload().length(), IntSetOptions.NUM_OPS, effective);
            effective.put(
                    IntSetOptions.KEY_UB.name(),
                    Long.toString(result.workload().keys().ub()));
            effective.put(
                    IntSetOptions.SEED.name(), Long.toString(result.workload().seed()));
            effective.put(
                    IntSetOptions.RECLAIM_EVERY.name(),
                    Long.toString(result.workload().reclaimEvery()));
            new MetricsFiles(result).writeTo(context.results(), effective);
            if (result.verification().isPresent()) {
                result.verification()
                        .get()
                        .write(context.results())
                        .ifPresent(file -> context.conclude("history: " + ResultsFolder.fromHere(file)));
            }
        }
    }
}
