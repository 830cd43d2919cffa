// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

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
import dev.remus.tools.harness.RunProvenance;
import dev.remus.tools.harness.RunTime;
import dev.remus.tools.report.ReportExtent;
import dev.remus.tools.verify.Verification;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The program that runs a {@link KvExperiment}. */
public final class KvProgram implements Program {
    static final String NAME = "kv";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String summary() {
        return "Threads of several nodes use one map, as the YCSB benchmark does; then the program audits the map.";
    }

    @Override
    public OptionSet options() {
        return new OptionSet("./remus " + name(), summary() + " " + LOCAL_CLUSTER)
                .include(KvOptions.group(), ReportExtent.group())
                .include(RemusOptions.groups())
                .example("./remus kv")
                .example("./remus kv --workload a --run-time 5 --warm-up 1 --baseline heap")
                .example("./remus kv --read 50 --update 20 --insert 15 --remove 15 --distribution uniform")
                .example("./remus kv --workload f --skew 1.2 --cn-threads 4")
                .example("./remus kv --workload f --verify")
                .example("./remus kv --map tree --workload e --baseline heap")
                .example("./remus kv --run-time 5 --baseline heap,redis,hazelcast")
                .example("./remus kv --rate 100000 --run-time 5")
                .example("./remus kv --records 20000 --value-bytes 1000 --seg-size 27")
                .example("./remus kv --fabric sim --sweep 1,10,100,1000 --nodes 100 --workload c");
    }

    @Override
    public Job prepare(Arguments arguments, ClusterConfig cluster) {
        KvWorkload workload = KvOptions.workload(arguments);
        return new Experiment(
                workload,
                KvOptions.verifies(arguments, workload),
                RunTime.isChosen(arguments, KvOptions.NUM_OPS),
                KvOptions.baselines(arguments),
                arguments.get(ReportExtent.OPTION),
                arguments.toMap());
    }

    private record Experiment(
            KvWorkload workload,
            boolean verifies,
            boolean isTimeChosen,
            List<KvBaseline> baselines,
            ReportExtent report,
            Map<String, String> options)
            implements Job {
        private static final int MIB_LOG2 = 20;
        private static final int KEYS_TO_LOAD_BYTES = 24;
        private static final int AUDITED_RECORD_BYTES = 400;

        /** A map on the heap takes up to 100 bytes for a record, the audit of another one's up to 400. */
        @Override
        public int heapMib() {
            int bytesPerRecord = baselines.isEmpty() ? KEYS_TO_LOAD_BYTES : AUDITED_RECORD_BYTES;
            return Math.addExact(Job.super.heapMib(), (int) ((long) workload.records() * bytesPerRecord >> MIB_LOG2));
        }

        @Override
        public boolean leavesResults() {
            return true;
        }

        @Override
        public Optional<String> complete(Path results, RunRecord record) throws IOException {
            RunProvenance.write(results, record, KvOptions.SEED);
            return report.complete(results, record).map(page -> "report: " + ResultsFolder.fromHere(page));
        }

        @Override
        public void run(ComputeThread ct, NodeContext context) throws Exception {
            if (isTimeChosen && ct.id() == ct.peers().leader()) {
                context.print("operations may be slow on this fabric, so each thread runs for "
                        + workload.length().seconds() + " s; to change this, set --run-time or --num-ops");
            }
            new KvExperiment(workload, context.progress(), verifies).run(ct, result -> report(result, ct, context));
        }

        private void report(KvResult run, ComputeThread ct, NodeContext context)
                throws IOException, InterruptedException {
            KvResult result = run;
            if (result.isRight()) {
                for (KvBaseline baseline : baselines) {
                    result = result.with(repeated(baseline, result.workload(), ct, context));
                }
            }
            KvFiles.write(result, effective(result), context.results());
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
                throw new IllegalStateException("the map does not keep its promise: " + finding.get() + "; seed "
                        + result.workload().seed());
            }
            context.conclude(result.toTable() + "results: " + ResultsFolder.fromHere(context.results()));
        }

        /** Runs a baseline after the cluster's threads have finished, so that neither disturbs the other. */
        private static KvResult.Baseline repeated(
                KvBaseline baseline, KvWorkload agreed, ComputeThread ct, NodeContext context)
                throws IOException, InterruptedException {
            try (KvPeer peer = baseline.start(agreed.map(), agreed.valueBytes())) {
                PeerRun run = new PeerRun(agreed, ct.config().totalThreads(), baseline.toString(), context.progress());
                return new KvResult.Baseline(baseline, run.run(peer, ct));
            }
        }

        private Map<String, String> effective(KvResult result) {
            Map<String, String> effective = new LinkedHashMap<>(options);
            RunTime.record(result.workload().length(), KvOptions.NUM_OPS, effective);
            effective.put(
                    KvOptions.RECORDS_LOADED.name(),
                    Integer.toString(result.workload().records()));
            effective.put(KvOptions.SEED.name(), Long.toString(result.workload().seed()));
            return effective;
        }
    }
}
