// SPDX-License-Identifier: Apache-2.0
package dev.remus.check;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Checker} found.
 *
 * @param outcome whether the history has the property
 * @param property its name, for example {@code linearizable}
 * @param history what was decided: the whole history, or if it was rejected or not decided, the part of it (see
 *     {@link Specification#partOf}) that decided the matter
 * @param order if rejected: a correct order of operations that explains everything that returned before {@code stuck}
 *     did, with what had not returned by then as pending; if not decided: the best that was found; if accepted: a
 *     correct order of everything, or empty if the history fell into several parts
 * @param stuck if rejected: the invocation whose result no correct order explains, although everything that returned
 *     before it can be explained; if not decided: where the search was at its best; else null
 * @param steps how often the specification was asked
 * @param <O> operations
 * @param <R> results
 */
public record Verdict<O, R>(
        Outcome outcome,
        String property,
        History<O, R> history,
        List<Invocation<O, R>> order,
        @Nullable Invocation<O, R> stuck,
        long steps) {

    /** The possible answers. */
    public enum Outcome {
        /** It has the property. */
        ACCEPTED,
        /** It does not have it. */
        REJECTED,
        /** The budget of steps was used up first. */
        UNKNOWN
    }

    /** Copies the order; refuses a rejection without the invocation that it is about. */
    public Verdict {
        order = List.copyOf(order);
        if (outcome == Outcome.REJECTED) {
            Objects.requireNonNull(stuck, "stuck");
        }
    }

    /** Whether the history has the property. */
    public boolean isAccepted() {
        return outcome == Outcome.ACCEPTED;
    }

    /** Whether the history does not have the property. */
    public boolean isRejected() {
        return outcome == Outcome.REJECTED;
    }

    /**
     * Does nothing if the history has the property.
     *
     * @throws RejectedHistoryError if it does not, or if that could not be decided
     */
    public void orThrow() {
        if (!isAccepted()) {
            throw new RejectedHistoryError(draw(Timeline.forMessages()), isRejected() ? culprit() : null);
        }
    }

    /** Draws the history that decided it, with an arrow where no order gets on, and the verdict in one line. */
    public String draw(Timeline timeline) {
        return timeline.draw(history, isRejected() ? culprit() : null) + timeline.fit(toString()) + "\n";
    }

    /** The invocation that a rejected one is stuck at. */
    Invocation<O, R> culprit() {
        return Objects.requireNonNull(stuck, "only what was rejected has a culprit");
    }

    /** One line for people. */
    @Override
    public String toString() {
        return switch (outcome) {
            case ACCEPTED -> property + ": " + count(history.size()) + ", " + steps + " steps";
            case REJECTED ->
                "not " + property + ": no order of the operations explains that "
                        + culprit().operation() + " by thread "
                        + culprit().thread() + " returned " + culprit().result()
                        + "; all that returned before it can be explained";
            case UNKNOWN ->
                "not known whether " + property + ": " + count(history.size()) + " not decided in " + steps
                        + " steps; give it a larger budget or a shorter history";
        };
    }

    private static String count(int operations) {
        return operations + (operations == 1 ? " operation" : " operations");
    }
}
