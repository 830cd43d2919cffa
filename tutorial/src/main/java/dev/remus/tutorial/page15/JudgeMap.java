// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page15;

import dev.remus.cli.cluster.Job;
import dev.remus.cli.cluster.NodeContext;
import dev.remus.cli.cluster.Program;
import dev.remus.cli.cluster.ProgramRunner;
import dev.remus.config.ClusterConfig;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSet;
import dev.remus.options.RemusOptions;
import dev.remus.structures.verify.MapCodes;
import dev.remus.structures.verify.MapJudge;
import dev.remus.structures.verify.RunVerdict;
import dev.remus.tutorial.page12.GrowingMap;
import dev.remus.verify.LogExchange;
import dev.remus.verify.OperationLog;
import java.util.SplittableRandom;

/** Solution of the exercise: all threads use the map of page 12, and the whole run is judged. */
public final class JudgeMap implements Program {
    private static final int OPERATIONS = 2000; // of each thread
    private static final int KEYS = 8;
    private static final int MOST_BUCKETS = 64;

    /** Takes the options of the framework. */
    public static void main(String... args) {
        ProgramRunner.main(new JudgeMap(), JudgeMap.class, args);
    }

    @Override
    public String name() {
        return "judge-map";
    }

    @Override
    public String summary() {
        return "Threads record what they do with a map, and the run is judged.";
    }

    @Override
    public OptionSet options() {
        return new OptionSet(name(), summary()).include(RemusOptions.groups());
    }

    @Override
    public Job prepare(Arguments arguments, ClusterConfig cluster) {
        return JudgeMap::run;
    }

    private static void run(ComputeThread ct, NodeContext context) {
        LogExchange logs = new LogExchange();
        if (ct.id() == 0) {
            ct.root("map").set(GrowingMap.create(1, MOST_BUCKETS, ct));
            logs.create(ct);
            ct.root("logs").set(new RdmaPtr<>(logs.pointer()));
        }
        ct.barrier();
        logs.at(ct.root("logs").get().raw());
        logs.begin(ct);
        OperationLog log = new OperationLog(OPERATIONS);
        GrowingMap map = new GrowingMap(ct.root("map").get(), ct);
        ct.barrier();
        operate(map, OPERATIONS, ct.random(), log, ct);
        ct.barrier();
        logs.collect(log, ct).ifPresent(run -> {
            RunVerdict verdict = new MapJudge(key -> false).judge(run, ct.threads());
            context.conclude("verified " + verdict);
            verdict.evidence().ifPresent(evidence -> context.conclude(evidence.drawing()));
        });
    }

    // #region operate
    /** Does random operations, and records them. */
    public static void operate(
            GrowingMap map, int operations, SplittableRandom random, OperationLog log, ComputeThread ct) {
        for (int i = 0; i < operations; i++) {
            int key = random.nextInt(KEYS);
            int value = MapCodes.written(ct.id(), i, ct.threads()); // no other one writes it
            long before;
            boolean isChange;
            switch (random.nextInt(3)) {
                case 0 -> {
                    log.call(MapCodes.GET, key);
                    before = map.get(key, ct);
                    isChange = false;
                }
                case 1 -> {
                    log.call(MapCodes.PUT_IF_ABSENT, key);
                    before = map.putIfAbsent(key, value, ct);
                    isChange = before == GrowingMap.ABSENT;
                }
                default -> {
                    log.call(MapCodes.REMOVE, key);
                    before = map.remove(key, ct);
                    isChange = before != GrowingMap.ABSENT;
                }
            }
            int seen = before == GrowingMap.ABSENT ? MapCodes.MISSING : (int) before;
            log.returned(MapCodes.outcome(isChange), MapCodes.value(key, seen));
            ct.quiescent();
        }
    }
    // #endregion operate
}
