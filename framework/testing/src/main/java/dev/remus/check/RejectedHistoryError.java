// SPDX-License-Identifier: Apache-2.0
package dev.remus.check;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A history does not have the property that it should have; the message draws it for people to read. */
public final class RejectedHistoryError extends AssertionError {
    private static final long serialVersionUID = 1L;

    private final transient @Nullable Invocation<?, ?> culprit;

    /**
     * @param drawing of a verdict that is not {@link Verdict.Outcome#ACCEPTED}
     * @param culprit the invocation that no order explains; null if the verdict was not a rejection
     */
    RejectedHistoryError(String drawing, @Nullable Invocation<?, ?> culprit) {
        super(drawing);
        this.culprit = culprit;
    }

    /** The invocation whose result no correct order explains; empty if the history could not be decided. */
    public Optional<Invocation<?, ?>> culprit() {
        return Optional.ofNullable(culprit);
    }
}
