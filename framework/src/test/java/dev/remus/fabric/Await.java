package dev.remus.fabric;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waiting with an end. */
final class Await {
    private static final int SPINS = 1000;

    private Await() {}

    /** Asks again and again, and fails the test if the answer stays no. */
    static void until(String what, BooleanSupplier question) {
        until(what, TestEndpoints.PATIENCE, question);
    }

    static void until(String what, Duration atMost, BooleanSupplier question) {
        long deadline = System.nanoTime() + atMost.toNanos();
        for (int i = 0; !question.getAsBoolean(); i++) {
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

    static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted, as a test is that takes too long", e);
        }
    }
}
