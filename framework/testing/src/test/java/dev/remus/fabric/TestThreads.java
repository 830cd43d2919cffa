// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import dev.remus.config.ThreadKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Threads that a test starts together and waits for. */
final class TestThreads {
    /** Far more than they need, also in an emulated machine beside other programs. */
    private static final long END_SECONDS = 270;

    /** The work of one of the threads. */
    interface Body {
        void run(int thread) throws Exception;
    }

    private TestThreads() {}

    /** Runs {@code n} threads until they end. Fails if one of them does. */
    static void run(ThreadKind kind, int n, Body body) {
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        CountDownLatch start = new CountDownLatch(n);
        CountDownLatch end = new CountDownLatch(n);
        List<Environment.Task> threads = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            int number = i;
            threads.add(start(kind, "test-" + i, () -> {
                try {
                    start.countDown();
                    start.await();
                    body.run(number);
                } catch (Throwable e) {
                    failures.add(e);
                } finally {
                    end.countDown();
                }
            }));
        }
        try {
            if (!end.await(END_SECONDS, TimeUnit.SECONDS)) {
                failures.add(new AssertionError(end.getCount() + " threads have not ended"));
                threads.forEach(Environment.Task::interrupt);
            }
        } catch (InterruptedException e) {
            threads.forEach(Environment.Task::interrupt);
            Thread.currentThread().interrupt();
            failures.add(e);
        }
        if (!failures.isEmpty()) {
            throw new AssertionError(failures.size() + " of " + n + " threads failed", failures.peek());
        }
    }

    private static Environment.Task start(ThreadKind kind, String name, Runnable body) {
        return kind == ThreadKind.VIRTUAL
                ? RealEnvironment.INSTANCE.startVirtual(name, 0, body)
                : RealEnvironment.INSTANCE.start(name, true, body);
    }
}
