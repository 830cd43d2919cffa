// SPDX-License-Identifier: Apache-2.0
package dev.remus.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Notes what threads call and what they get back, and gives it as a {@link History}. Calls and returns get the moments
 * 0, 1, 2 and so on, in the order in which they reach the recorder.
 *
 * <p>For any number of threads: real ones, which meet at one short lock, or simulated ones of which one runs at a time,
 * for which the lock is free and the moments are as deterministic as the schedule. Note the call before the operation
 * begins, and the return after it has ended: then the noted interval covers the true one, and a correct object is never
 * found wrong.
 *
 * @param <O> operations
 * @param <R> results
 */
public final class Recorder<O, R> {
    private final List<Entry<O, R>> entries = new ArrayList<>();
    private long moment;
    private @Nullable Observer observer;

    /** Notices the use of a recorder. */
    public interface Observer {
        /** A call is about to be recorded: the returns before it matter. */
        void called();

        /** A return is about to be recorded: the calls after it matter. */
        void returned();
    }

    /** Notices all operations of all recorders, for instance to add them to a trace. */
    public interface Listener {
        /** A thread calls an operation. */
        void calls(int thread, Object operation);

        /** An operation of a thread returns. */
        void returns(int thread, Object operation, @Nullable Object result);

        /** An operation of a thread has thrown, and stays pending. Does nothing by default. */
        default void fails(int thread, Object operation, Throwable failure) {}
    }

    private static final List<Listener> LISTENERS = new CopyOnWriteArrayList<>();

    /** Lets a listener notice the operations of all recorders, until it is removed. */
    public static void addListener(Listener listener) {
        LISTENERS.add(listener);
    }

    /** Removes a listener. */
    public static void removeListener(Listener listener) {
        LISTENERS.remove(listener);
    }

    /** Makes a recorder without operations. */
    public Recorder() {}

    private static final class Entry<O, R> {
        final int thread;
        final O operation;
        final long called;

        /** Nothing until it has returned. */
        @SuppressWarnings("NullAway.Init")
        R result;

        long returned = Invocation.PENDING;

        Entry(int thread, O operation, long called) {
            this.thread = thread;
            this.operation = operation;
            this.called = called;
        }
    }

    /** Sets the observer of all calls and returns; of {@link #history} too, as of both. */
    public synchronized void observedBy(Observer other) {
        observer = other;
    }

    /**
     * A thread is about to call an operation.
     *
     * @return id for {@link #returned}
     */
    public synchronized int call(int thread, O operation) {
        Objects.requireNonNull(operation, "operation");
        if (thread < 0) {
            throw new IllegalArgumentException("thread " + thread + " of " + operation + ": below 0");
        }
        if (observer != null) {
            observer.called();
        }
        entries.add(new Entry<>(thread, operation, moment++));
        for (Listener listener : LISTENERS) {
            listener.calls(thread, operation);
        }
        return entries.size() - 1;
    }

    /**
     * An operation has returned. Without this, it stays pending.
     *
     * @param id what {@link #call} returned
     * @throws IllegalStateException if it returned before
     */
    public synchronized void returned(int id, R result) {
        Entry<O, R> entry = entries.get(id);
        if (entry.returned != Invocation.PENDING) {
            throw new IllegalStateException(entry.operation + " by thread " + entry.thread + " returns a second time");
        }
        if (observer != null) {
            observer.returned();
        }
        entry.result = result;
        entry.returned = moment++;
        for (Listener listener : LISTENERS) {
            listener.returns(entry.thread, entry.operation, result);
        }
    }

    /**
     * An operation has thrown. It stays pending, because it may have taken effect or not; only listeners notice.
     *
     * @param id what {@link #call} returned
     */
    public synchronized void failed(int id, Throwable failure) {
        Objects.requireNonNull(failure, "failure");
        Entry<O, R> entry = entries.get(id);
        for (Listener listener : LISTENERS) {
            listener.fails(entry.thread, entry.operation, failure);
        }
    }

    /** Notes an operation that is carried out here and now; one that throws stays pending. */
    public <T extends R> T record(int thread, O operation, Supplier<T> body) {
        int id = call(thread, operation);
        T result;
        try {
            result = body.get();
        } catch (RuntimeException | AssertionError e) { // other errors end a simulated thread
            failed(id, e);
            throw e;
        }
        returned(id, result);
        return result;
    }

    /** What has been noted until now. */
    public synchronized History<O, R> history() {
        if (observer != null) {
            observer.called();
            observer.returned();
        }
        List<Invocation<O, R>> invocations = new ArrayList<>(entries.size());
        for (int id = 0; id < entries.size(); id++) {
            Entry<O, R> e = entries.get(id);
            invocations.add(new Invocation<>(id, e.thread, e.operation, e.result, e.called, e.returned));
        }
        return History.sorted(invocations);
    }
}
