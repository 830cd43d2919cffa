// SPDX-License-Identifier: Apache-2.0
package dev.remus.check;

/**
 * Decides whether histories have a property.
 *
 * @param <O> operations
 * @param <R> results
 */
public interface Decider<O, R> {
    /** Some seconds, and at most some hundred megabytes. */
    long DEFAULT_BUDGET = 3_000_000;

    /** Whether a history has the property. */
    Verdict<O, R> check(History<O, R> history);

    /**
     * The same decider with another budget.
     *
     * @param steps how often the specification may be asked for one history, at least once
     */
    Decider<O, R> withBudget(long steps);
}
