// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Coroutines that are threads: virtual ones if this Java has them, because thousands of those cost little. */
final class ThreadCoroutines extends Coroutines {
    private static final long STACK_BYTES = 256 << 10;
    private static final @Nullable MethodHandle VIRTUAL = findVirtual();

    private static final Executor EXECUTOR = newExecutor();

    private final CountDownLatch stopped = new CountDownLatch(1);

    private static @Nullable MethodHandle findVirtual() {
        try {
            // Thread.ofVirtual().unstarted(Runnable), which cannot be named as long as this is built for Java 17.
            Class<?> builder = Class.forName("java.lang.Thread$Builder");
            Class<?> ofVirtual = Class.forName("java.lang.Thread$Builder$OfVirtual");
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            MethodHandle make = lookup.findStatic(Thread.class, "ofVirtual", MethodType.methodType(ofVirtual));
            MethodHandle unstarted =
                    lookup.findVirtual(builder, "unstarted", MethodType.methodType(Thread.class, Runnable.class));
            MethodHandle start = unstarted.asType(MethodType.methodType(Thread.class, ofVirtual, Runnable.class));
            return MethodHandles.foldArguments(start, make);
        } catch (ReflectiveOperationException e) {
            return null; // before Java 21
        }
    }

    /** Starting a thread that is not virtual takes longer than a small run, so such threads are reused. */
    private static Executor newExecutor() {
        if (VIRTUAL != null) {
            return ThreadCoroutines::startVirtual;
        }
        AtomicInteger number = new AtomicInteger();
        return Executors.newCachedThreadPool(body -> {
            Thread thread = new Thread(null, body, "remus-simulator-" + number.incrementAndGet(), STACK_BYTES);
            thread.setDaemon(true);
            return thread;
        });
    }

    private static void startVirtual(Runnable body) {
        try {
            assert VIRTUAL != null;
            Thread thread = (Thread) VIRTUAL.invokeExact(body);
            thread.start();
        } catch (Throwable e) {
            throw new IllegalStateException("cannot start a virtual thread", e);
        }
    }

    /** A thread that runs only while it is its turn. */
    private static final class ThreadCoroutine extends Coroutine {
        private final CountDownLatch ended = new CountDownLatch(1);
        private final Runnable body;
        private volatile @Nullable Thread thread;
        private volatile boolean turn;

        ThreadCoroutine(Runnable body) {
            this.body = body;
        }

        void run() {
            thread = Thread.currentThread();
            suspend();
            try {
                body.run();
            } finally {
                ended.countDown();
            }
        }

        @Override
        void resume() {
            turn = true;
            LockSupport.unpark(thread); // one that has not started yet will see its turn
        }

        @Override
        void suspend() {
            while (!turn) {
                LockSupport.park(this);
            }
            turn = false;
        }

        @Override
        StackTraceElement[] stackTrace() {
            Thread started = thread;
            return started == null ? new StackTraceElement[0] : started.getStackTrace();
        }
    }

    @Override
    Coroutine create(Runnable body) {
        ThreadCoroutine coroutine = new ThreadCoroutine(body);
        EXECUTOR.execute(coroutine::run);
        return coroutine;
    }

    @Override
    void run(Coroutine first) throws InterruptedException {
        first.resume();
        stopped.await();
    }

    @Override
    void stop() {
        stopped.countDown();
    }

    @Override
    void finish(Coroutine coroutine) {
        coroutine.resume();
        CountDownLatch ended = ((ThreadCoroutine) coroutine).ended;
        boolean interrupted = false;
        while (ended.getCount() > 0) {
            try {
                ended.await();
            } catch (InterruptedException e) {
                interrupted = true; // it ends soon, and none may remain
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return VIRTUAL == null ? "threads" : "virtual threads";
    }
}
