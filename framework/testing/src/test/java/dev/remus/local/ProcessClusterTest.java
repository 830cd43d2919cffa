// SPDX-License-Identifier: Apache-2.0
package dev.remus.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.await.Await;
import dev.remus.config.ClusterConfig;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("processes")
@Timeout(180)
@Tag("any-jdk")
class ProcessClusterTest {
    private final ClusterConfig config = LocalConfig.of(1, 2, 1).build();
    private final ProcessCluster cluster = new ProcessCluster(config);
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream out = System.out;

    @BeforeEach
    void captureOutput() {
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        System.setOut(out);
        Leftovers.assertNone(config);
    }

    private String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    static final class Work implements ComputeNode.Body {
        private final String[] words;

        Work(String... words) {
            this.words = words;
        }

        @Override
        public void run(ComputeThread ct) {
            ct.barrier();
            System.out.println("thread " + ct.id() + " ✓ " + String.join("+", words) + " in process "
                    + ProcessHandle.current().pid());
        }
    }

    @Test
    void eachNodeIsAProcessWithTheArgumentsAndPrintsIntoTheTestsOutput() throws Exception {
        cluster.run(Work.class, "a b", "c");
        assertThat(printed())
                .contains("node 1 | thread 0 ✓ a b+c in process ")
                .contains("node 2 | thread 1 ✓ a b+c in process ")
                .doesNotContain("process " + ProcessHandle.current().pid());
        assertThat(printed().lines().map(line -> line.replaceAll(".* ", ""))).doesNotHaveDuplicates();
    }

    static final class Mistaken implements ComputeNode.Body {
        @Override
        public void run(ComputeThread ct) {
            if (ct.id() == 1) {
                System.out.println("about to fail");
                assertThat(6 * 7).isEqualTo(41);
            }
            ct.barrier();
        }
    }

    @Test
    void theFailureOfANodeFailsTheTestWithItsExceptionItsStackAndTheOutputOfAllNodes() {
        assertThatThrownBy(() -> cluster.run(Mistaken.class))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("node 2 failed: ")
                .hasMessageContaining("node 2 | about to fail")
                .hasMessageContaining("node 2 | \tat dev.remus.local.ProcessClusterTest$Mistaken.run")
                .cause()
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("expected: 41")
                .satisfies(cause -> assertThat(cause.getStackTrace())
                        .anyMatch(frame -> frame.getClassName().equals(Mistaken.class.getName())));
    }

    static final class Halted implements ComputeNode.Body {
        @Override
        public void run(ComputeThread ct) {
            if (ct.id() == 0) {
                Runtime.getRuntime().halt(9);
            }
            ct.barrier();
        }
    }

    @Test
    void aNodeThatDiesWithoutAWordIsNamed() {
        assertThatThrownBy(() -> cluster.run(Halted.class)).hasMessageStartingWith("node 1 ended with status 9");
    }

    static final class Endless implements ComputeNode.Body {
        @Override
        public void run(ComputeThread ct) throws Exception {
            System.out.println("waiting");
            new CountDownLatch(1).await();
        }
    }

    @Test
    void aClusterThatHangsFailsAtTheTimeLimitWithTheStacksOfItsThreads() {
        assertThatThrownBy(() -> cluster.within(Duration.ofSeconds(4))
                        .run(() -> printed().split("waiting", -1).length == 3, Endless.class))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("the cluster has not finished within 4 s")
                .hasMessageContaining("at dev.remus.local.ProcessClusterTest$Endless.run");
    }

    @Test
    void theTimeLimitEndsTheProcesses() {
        assertThatThrownBy(() -> cluster.within(Duration.ofMillis(1)).run(Endless.class))
                .hasMessageStartingWith("the cluster has not finished within 0.001 s");
    }

    @Test
    void anInterruptEndsTheProcesses() throws Exception {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread caller = new Thread(() -> {
            try {
                cluster.run(Endless.class);
            } catch (Throwable e) {
                thrown.set(e);
            }
        });
        caller.start();
        Await.until("a body waits", () -> printed().contains("waiting"));
        caller.interrupt();
        caller.join();
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    }

    /** Neither static nor without arguments. */
    @SuppressWarnings("ClassCanBeStatic")
    final class Inner implements ComputeNode.Body {
        @Override
        public void run(ComputeThread ct) {}
    }

    @Test
    void aClassThatAnotherProcessCannotMakeIsRejected() {
        assertThatThrownBy(() -> NodeMain.make(Inner.class))
                .hasMessageContaining("Inner needs a constructor without parameters or with one parameter String...");
        assertThatThrownBy(() -> NodeMain.make(Halted.class, "a"))
                .hasMessageContaining("gets arguments, and needs a constructor with one parameter String...");
    }

    private static final class Unserializable extends RuntimeException {
        @SuppressWarnings("unused") // it only keeps the exception from being serialized
        final Object lock = new Object();
    }

    @Test
    void anExceptionThatCannotBeSerializedKeepsItsDescriptionAndItsStack(@TempDir Path folder) throws Exception {
        Unserializable failure = new Unserializable();
        NodeFailure.write(failure, folder.resolve("f"));
        Throwable read = NodeFailure.read(folder.resolve("f")).orElseThrow();
        assertThat(read).hasMessage(failure.toString());
        assertThat(read.getStackTrace()).isEqualTo(failure.getStackTrace());
        assertThat(NodeFailure.read(folder.resolve("none"))).isEmpty();
    }
}
