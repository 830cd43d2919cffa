// SPDX-License-Identifier: Apache-2.0
package dev.remus.check;

/**
 * Judges histories by one property.
 *
 * @param <O> operations
 * @param <R> results
 */
public interface Checker<O, R> extends Decider<O, R> {
    /** The property as an adjective, for example {@code linearizable}. */
    String property();

    /**
     * Does nothing if a history has the property.
     *
     * @throws RejectedHistoryError if it does not, which draws what is left of the history when it has been {@linkplain
     *     Minimiser made small}; or if that could not be decided
     */
    default void judge(History<O, R> history) {
        Verdict<O, R> verdict = check(history);
        (verdict.isRejected() ? new Minimiser<>(this).minimise(history) : verdict).orThrow();
    }

    @Override
    Checker<O, R> withBudget(long steps);
}
