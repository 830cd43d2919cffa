package dev.remus.check;

/** A history does not have the property that it should have; the message draws it for people to read. */
public final class RejectedHistoryError extends AssertionError {
    private static final long serialVersionUID = 1L;

    /** @param drawing of a verdict that is not {@link Verdict.Outcome#ACCEPTED} */
    RejectedHistoryError(String drawing) {
        super(drawing);
    }
}
