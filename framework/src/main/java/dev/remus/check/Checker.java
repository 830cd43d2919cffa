package dev.remus.check;

/**
 * Judges histories by one property.
 *
 * @param <O> operations
 * @param <R> results
 */
public interface Checker<O, R> {
    /** The property as an adjective, for example {@code linearizable}. */
    String property();

    /** Whether a history has the property. */
    Verdict<O, R> check(History<O, R> history);

    /**
     * The same checker with another budget.
     *
     * @param steps how often the specification may be asked for one history, at least once
     */
    Checker<O, R> withBudget(long steps);
}
