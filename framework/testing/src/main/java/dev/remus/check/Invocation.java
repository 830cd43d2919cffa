// SPDX-License-Identifier: Apache-2.0
package dev.remus.check;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a {@link History}: who called what, when, and what came back when.
 *
 * <p>A <em>pending</em> invocation has no result: its thread stopped, or its lane broke, or the history was taken
 * before it returned. It may have taken effect at any moment after its call, or it may never do so.
 *
 * @param id distinguishes it from the other invocations of its history, also when parts are taken out
 * @param thread who called; 0 or more
 * @param operation what was called: method and arguments; its text is what people read
 * @param result what came back; meaningless, and maybe null, when pending
 * @param called moment of the call
 * @param returned moment of the return, later than the call; {@link #PENDING} if there was none
 * @param <O> operations
 * @param <R> results
 */
public record Invocation<O, R extends @Nullable Object>(
        int id, int thread, O operation, R result, long called, long returned) {
    /** The moment of return of what did not return. */
    public static final long PENDING = Long.MAX_VALUE;

    /** Refuses a return that is not after its call. */
    public Invocation {
        Objects.requireNonNull(operation, "operation");
        if (thread < 0) {
            throw new IllegalArgumentException("thread " + thread + " of " + operation + ": below 0");
        }
        if (returned <= called) {
            throw new IllegalArgumentException(
                    operation + " by thread " + thread + " returned at " + returned + ", but was called at " + called);
        }
    }

    /** Whether it did not return. */
    public boolean isPending() {
        return returned == PENDING;
    }

    /** Whether it returned before the other was called, so that no correct order has the other first. */
    public boolean isBefore(Invocation<?, ?> other) {
        return returned < other.called;
    }

    /** The same, but with other moments. */
    Invocation<O, R> during(long newCalled, long newReturned) {
        return new Invocation<>(id, thread, operation, result, newCalled, newReturned);
    }

    /** For example {@code insert(3) → true by thread 1}. */
    @Override
    public String toString() {
        return operation + (isPending() ? " pending" : " → " + result) + " by thread " + thread;
    }
}
