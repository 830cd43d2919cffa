package dev.remus.fabric;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/** Threads that a test starts together and waits for. */
final class TestThreads {
    private static final long JOIN_MILLIS = 60_000;

    /** The work of one of the threads. */
    interface Body {
        void run(int thread) throws Exception;
    }

    private TestThreads() {}

    /** Runs {@code n} threads until they end. Fails if one of them does. */
    static void run(int n, Body body) {
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        CountDownLatch start = new CountDownLatch(n);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            int number = i;
            Thread thread = new Thread(
                    () -> {
                        try {
                            start.countDown();
                            start.await();
                            body.run(number);
                        } catch (Throwable e) {
                            failures.add(e);
                        }
                    },
                    "test-" + i);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        try {
            for (Thread thread : threads) {
                thread.join(JOIN_MILLIS);
                if (thread.isAlive()) {
                    failures.add(new AssertionError(thread.getName() + " has not ended"));
                    thread.interrupt();
                }
            }
        } catch (InterruptedException e) {
            threads.forEach(Thread::interrupt);
            Thread.currentThread().interrupt();
            failures.add(e);
        }
        if (!failures.isEmpty()) {
            throw new AssertionError(failures.size() + " of " + n + " threads failed", failures.peek());
        }
    }
}
