// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.local.LocalConfig;
import dev.remus.options.UsageException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import jdk.jshell.JShell;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ShellCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private int run(String lines, String... args) {
        PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
        return ShellCommand.run(
                Optional.of(new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8))), print, print, args);
    }

    private String output() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void snippetsUseOneComputeThreadAndTheStructuresOfALiveCluster() {
        int status = run("""
                ct.root().set(LongFastLazyListSet.create(ct))
                var set = new LongFastLazyListSet(ct.root().get())
                set.insert(30, ct)
                "inserted " + set.contains(30, ct) + ", node " + ct.nodeId()
                var seen = new ArrayList<Object>()
                inThread(1, o -> seen.add(o.id() + " sees " + new LongFastLazyListSet(o.root().get()).contains(30, o)))
                inThread(1, o -> seen.add("again " + o.id()))
                seen
                ct.metric
                "segments " + config.memoryNodes() * config.segmentsPerNode()
                ct.read(1)
                "still " + set.contains(30, ct)
                /exit
                """);
        assertThat(output())
                .contains(
                        "2 Memory Nodes, and a Compute Node with 4 Compute Threads (shm)",
                        "inserted true, node 2",
                        "[1 sees true, again 1]",
                        "cannot find symbol",
                        "segments 4",
                        "Exception",
                        "still true");
        assertThat(status).isEqualTo(ExitStatus.OK);
    }

    @Test
    void aShellAfterAnotherHasAClusterOfItsOwn() {
        for (String nodes : new String[] {"1", "3"}) {
            out.reset();
            assertThat(run("\"nodes \" + config.memoryNodes()\n", "--memory-nodes", nodes))
                    .isEqualTo(ExitStatus.OK);
            assertThat(output()).contains("nodes " + nodes);
        }
    }

    @Test
    void ctrlCEndsALineThatWaitsForEverAndTheNextOneRunsInTheSameThread() throws Exception {
        try (JShell shell = JShell.builder()
                .executionEngine(new OwnerThreadProvider(), Map.of())
                .build()) {
            String thread = value("Thread.currentThread().getId()", shell);
            AtomicBoolean hasEnded = new AtomicBoolean();
            Thread user = new Thread(() -> {
                while (!hasEnded.get()) {
                    shell.stop(); // has no effect before the line runs
                    LockSupport.parkNanos(10_000_000);
                }
            });
            user.start();
            shell.eval("Thread.sleep(Long.MAX_VALUE)");
            hasEnded.set(true);
            user.join();
            assertThat(value("Thread.currentThread().getId()", shell)).isEqualTo(thread);
        }
    }

    @Test
    void theEndOfAShellClosesComputeThread0BeforeItsClusterEnds() {
        try (LiveCluster cluster = LiveCluster.start(LocalConfig.of(1, 1, 1).build())) {
            try (JShell shell = JShell.builder()
                    .executionEngine(new OwnerThreadProvider(), Map.of())
                    .build()) {
                shell.addToClasspath(System.getProperty("java.class.path"));
                shell.eval("dev.remus.tools.shell.LiveCluster.current().open()");
                assertThatThrownBy(() -> cluster.compute().openThread(0)).hasMessageContaining("is open already");
            }
            cluster.compute().openThread(0).close();
        }
    }

    private static String value(String line, JShell shell) {
        return shell.eval(line).get(0).value();
    }

    @Test
    void numbersOutOfRangeAreRefused() {
        assertThat(run("", "--memory-nodes", "0")).isEqualTo(UsageException.EXIT_STATUS);
        assertThat(output()).contains("--memory-nodes: got '0'");
    }
}
