// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.fabric.sim.Fault;
import dev.remus.memory.RdmaPtr;
import dev.remus.tools.liveness.ProgressSubject.Call;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExperimentTest {
    private static final Disturbance ONE_CRASHED = new Disturbance(Fault.STOPPED_THREADS, 1);

    /** A lock without a recorded owner, which no thread can take over. */
    private static final ProgressSubject LOCKED = new ProgressSubject(
            "locked",
            ct -> {
                long word = ct.allocate(Long.BYTES);
                ct.write(word, 0);
                return new RdmaPtr<>(word);
            },
            (This, ct) -> List.of(new Call("work", Promise.LOCK_FREE, random -> {
                while (ct.compareAndSwap(This.raw(), 0, 1) != 0) {
                    ct.pause();
                }
                ct.compareAndSwap(This.raw(), 1, 0);
            })));

    @Test
    void callsThatWaitForACrashedThreadAreCountedAsUnfinished() throws Exception {
        Map<String, Steps> steps = new Experiment(LOCKED, ONE_CRASHED).run(1, 30);
        assertThat(steps.get("work").hasUnfinished()).isTrue();
        assertThat(new Experiment(LOCKED, new Disturbance(Fault.STOPPED_THREADS, 0))
                        .run(1, 10)
                        .get("work")
                        .hasUnfinished())
                .isFalse();
    }

    @Test
    void structuresKeepTheirPromises() throws Exception {
        ByteArrayOutputStream table = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(table, true, StandardCharsets.UTF_8);
        assertThat(new ProgressCommand(out, List.of("lazylist", "nd", "leader", "tree-removal"), 1, 10).run())
                .isEqualTo(ExitStatus.OK);
        assertThat(table.toString(StandardCharsets.UTF_8))
                .contains("`lazylist` contains | wait-free | all end")
                .contains("`nd` tryDequeue | lock-free | all end")
                .contains("`leader` resign | wait-free | all end, 1.0, at most 1")
                .contains("`tree-removal` remove | blocking | all end");
    }
}
