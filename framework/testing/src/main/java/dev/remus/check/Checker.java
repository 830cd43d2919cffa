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
     * Does nothing if a history has the property.
     *
     * @throws RejectedHistoryError if it does not, which draws what is left of the history when it has been {@linkplain
     *     Minimiser made small}; or if that could not be decided
     */
    default void judge(History<O, R> history) {
        Verdict<O, R> verdict = check(history);
        (verdict.isRejected() ? new Minimiser<>(this).minimise(history) : verdict).orThrow();
    }

    /**
     * The same checker with another budget.
     *
     * @param steps how often the specification may be asked for one history, at least once
     */
    Checker<O, R> withBudget(long steps);
}
