// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.cli.cluster.GracefulShutdown;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The exit status of a process that gets a signal just when it ends. */
@Tag("processes")
@Timeout(400)
class StatusOfSignalTest {
    private static final int OF_SIGNAL = 143;
    private static final int OF_PROGRAM = 1;

    /** Ends as by a signal, and then as a program that has failed. */
    static final class Ending {
        private Ending() {}

        /** @param args none */
        public static void main(String... args) throws Exception {
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch never = new CountDownLatch(1);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                begun.countDown();
                awaitQuietly(never, 500);
            }));
            new Thread(() -> Runtime.getRuntime().exit(OF_SIGNAL)).start(); // what the JVM does on a signal
            begun.await();
            GracefulShutdown.leaveStatusToSignal();
            Runtime.getRuntime().halt(OF_PROGRAM);
        }

        private static void awaitQuietly(CountDownLatch latch, long millis) {
            try {
                latch.await(millis, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Test
    void aSignalDecidesTheStatusOfAProcessThatFailsMeanwhile() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), Ending.class.getName())
                .redirectErrorStream(true)
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(OF_SIGNAL);
        } finally {
            process.destroyForcibly();
        }
    }
}
