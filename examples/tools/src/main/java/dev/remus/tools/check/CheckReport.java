package dev.remus.tools.check;

import java.io.IOException;
import java.util.Optional;

/** Is told what {@link CheckCommand} finds, while it searches. */
interface CheckReport {
    /** The outcome of one scenario, as soon as it is known. */
    void hear(SearchOutcome outcome) throws IOException;

    /** After an outcome that is not clean: the same mistake in a smaller size, if it was seen there. */
    void hearSmaller(Optional<SmallerCase> smaller) throws IOException;

    /** The end: whether all outcomes were clean. */
    void conclude(boolean clean) throws IOException;
}
