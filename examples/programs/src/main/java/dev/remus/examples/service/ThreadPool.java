// SPDX-License-Identifier: Apache-2.0
package dev.remus.examples.service;

import dev.remus.fabric.NodeLostException;
import dev.remus.memory.OutOfRemoteMemoryException;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.structures.RemoteHashMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The Compute Threads of a node, each of which serves one request at a time. Other threads hand them operations and
 * wait for the results.
 *
 * <p>A Compute Thread belongs to one thread, as the handles of structures do. So each has a thread of its own here,
 * which opens it once and keeps it open. Between operations it passes a quiescent state. While it waits for work it is
 * offline, so that it holds up no memory that others retire.
 */
final class ThreadPool implements AutoCloseable {
    /** An operation on the map. */
    interface Operation<T> {
        /** Runs in a Compute Thread, with its handle of the map. */
        T run(RemoteHashMap<String, byte[]> map, ComputeThread ct);
    }

    private enum State {
        WAITING,
        BEGUN,
        GIVEN_UP
    }

    private static final class Task<T> {
        final Operation<T> operation;
        final CompletableFuture<T> result = new CompletableFuture<>();
        final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

        /** The thread that runs it, once one does. */
        volatile @Nullable Thread runner;

        Task(Operation<T> operation) {
            this.operation = operation;
        }

        /** Runs the operation, unless its caller has given it up. Throws if this node cannot go on. */
        void run(RemoteHashMap<String, byte[]> map, ComputeThread ct) {
            if (!state.compareAndSet(State.WAITING, State.BEGUN)) {
                return;
            }
            runner = Thread.currentThread();
            try {
                result.complete(operation.run(map, ct));
            } catch (NodeLostException e) {
                result.completeExceptionally(e);
                throw e;
            } catch (RuntimeException e) { // of this request alone
                result.completeExceptionally(e);
            }
        }
    }

    private static final Task<Void> END = new Task<>((map, ct) -> {
        throw new IllegalStateException("it is never run");
    });

    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ComputeNode node;
    private final Duration limit;
    private final Semaphore places;
    private final int allPlaces;
    private final BlockingQueue<Task<?>> tasks = new LinkedBlockingQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private final Consumer<Throwable> failed;
    private final Consumer<String> report;

    /** Why a thread could not go on; null while all can. */
    private volatile @Nullable Throwable failure;

    /**
     * Starts the threads, and waits until each has a handle of the map, and has used it.
     *
     * @param failed called if a thread cannot go on, since a Memory Node or this node is lost
     * @param report receives where a thread is whose operation has not ended in time
     * @throws NodeLostException if that is so already
     * @throws OutOfRemoteMemoryException if there is no room for the map
     */
    ThreadPool(ComputeNode node, Limits limits, Consumer<Throwable> failed, Consumer<String> report) {
        this.node = node;
        this.limit = limits.requestTime();
        this.allPlaces = node.config().threadsPerNode() + limits.waiting();
        this.places = new Semaphore(allPlaces);
        this.failed = failed;
        this.report = report;
        List<CompletableFuture<Void>> opened = new ArrayList<>();
        for (int i = 0; i < node.config().threadsPerNode(); i++) {
            int index = i;
            CompletableFuture<Void> open = new CompletableFuture<>();
            Thread thread = new Thread(() -> serve(index, open), "compute-" + i);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
            opened.add(open);
        }
        awaitOpened(opened);
    }

    private static void awaitOpened(List<CompletableFuture<Void>> opened) {
        try {
            opened.forEach(CompletableFuture::join);
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    private void serve(int index, CompletableFuture<Void> opened) {
        try (ComputeThread ct = node.openThread(index)) {
            RemoteHashMap<String, byte[]> map = SharedMap.open(ct);
            SharedMap.warmUp(map, ct);
            opened.complete(null);
            for (Task<?> task = next(ct); task != END; task = next(ct)) {
                task.run(map, ct);
                ct.quiescent();
            }
        } catch (RuntimeException | Error e) {
            opened.completeExceptionally(e);
            fail(e);
        }
    }

    /** The next task. A wait without one ends now and then, since an access shows whether the memory is still there. */
    private Task<?> next(ComputeThread ct) {
        AtomicReference<Task<?>> next = new AtomicReference<>(tasks.poll());
        while (next.get() == null) {
            ct.offline(() -> next.set(await()));
        }
        return next.get();
    }

    private @Nullable Task<?> await() {
        try {
            return tasks.poll(LOOK_NANOS, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            return END;
        }
    }

    private void fail(Throwable e) {
        failure = e;
        failed.accept(e);
        failWaiting(e);
    }

    private void failWaiting(Throwable e) {
        for (Task<?> task = tasks.poll(); task != null; task = tasks.poll()) {
            task.result.completeExceptionally(new Refusal(Refusal.UNAVAILABLE, String.valueOf(e.getMessage())));
        }
    }

    /**
     * Runs an operation in a Compute Thread, and returns its result.
     *
     * @throws Refusal if too many wait already, if it does not end in time, or if it fails
     */
    <T> T call(Operation<T> operation) {
        if (!places.tryAcquire()) {
            throw new Refusal(Refusal.UNAVAILABLE, "too many requests are waiting");
        }
        Task<T> task = new Task<>(operation);
        try {
            tasks.add(task);
            Throwable before = failure;
            if (before != null) {
                failWaiting(before);
            }
            return task.result.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            if (task.state.compareAndSet(State.WAITING, State.GIVEN_UP)) {
                throw new Refusal(Refusal.UNAVAILABLE, "no thread was free within " + limit.toMillis() + " ms");
            }
            report.accept(whereItIs(task));
            throw new Refusal(Refusal.UNFINISHED, "it has not ended within " + limit.toMillis() + " ms");
        } catch (ExecutionException e) {
            throw refusal(Objects.requireNonNull(e.getCause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Refusal(Refusal.UNFINISHED, "this node ends");
        } finally {
            places.release();
        }
    }

    private String whereItIs(Task<?> task) {
        StringBuilder where = new StringBuilder("an operation has not ended within " + limit.toMillis() + " ms");
        Thread thread = task.runner;
        StackTraceElement[] stack = thread == null ? new StackTraceElement[0] : thread.getStackTrace();
        if (task.result.isDone()) { // the thread may be at another operation by now
            return where + ", but just after that";
        }
        for (StackTraceElement line : stack) {
            where.append("\n\tat ").append(line);
        }
        return where.toString();
    }

    private static Refusal refusal(Throwable cause) {
        int status = cause instanceof OutOfRemoteMemoryException ? 507 : cause instanceof Refusal r ? r.status() : 500;
        return new Refusal(status, cause instanceof Refusal r ? r.reason() : cause.toString());
    }

    /** How many requests run or wait. */
    int busy() {
        return allPlaces - places.availablePermits();
    }

    /** Waits until all operations have ended, and closes the Compute Threads. None may be handed in meanwhile. */
    @Override
    public void close() {
        threads.forEach(thread -> tasks.add(END));
        boolean interrupted = Thread.interrupted();
        for (Thread thread : threads) {
            try {
                thread.join(limit.toMillis());
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
