// SPDX-License-Identifier: Apache-2.0
package dev.remus.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.function.BooleanSupplier;

/** Waits for conditions, with a limit that only keeps tests from hanging. */
public final class Await {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int SPINS = 1000;

    private Await() {}

    /** Polls a condition, and fails the test if it does not become true within a minute. */
    public static void until(String what, BooleanSupplier condition) {
        until(what, LIMIT, condition);
    }

    /** Polls a condition, and fails the test if it does not become true within that time. */
    public static void until(String what, Duration atMost, BooleanSupplier condition) {
        long deadline = System.nanoTime() + atMost.toNanos();
        for (int i = 0; !condition.getAsBoolean(); i++) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not within " + atMost.toMillis() + " ms: " + what);
            }
            if (i < SPINS) {
                Thread.onSpinWait();
            } else {
                sleep(1);
            }
        }
    }

    /** Waits until all of these processes have ended. */
    public static void end(Collection<ProcessHandle> processes) {
        until("the end of processes " + processes, () -> processes.stream().noneMatch(Await::isRunning));
    }

    /**
     * Whether a process is still running. Java also reports a zombie as alive, a process that has ended and that its
     * parent has not reaped; in a container whose first process is a user's program, that may last for ever.
     */
    private static boolean isRunning(ProcessHandle process) {
        if (!process.isAlive()) {
            return false;
        }
        try {
            String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2)
                    != 'Z'; // the program's name before it may contain any character
        } catch (IOException e) {
            return process.isAlive(); // it has just ended, or this is not Linux
        }
    }

    /** Sleeps, and fails the test if it is interrupted. */
    public static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted, perhaps since the test took too long", e);
        }
    }
}
