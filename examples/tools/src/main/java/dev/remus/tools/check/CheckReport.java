// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.check;

import java.io.IOException;
import java.util.Optional;

/** Prints the results of {@link CheckCommand} while it searches. */
interface CheckReport {
    /** Prints the outcome of one scenario. */
    void print(SearchOutcome outcome) throws IOException;

    /** Prints, after a failing outcome, a failure at a smaller size, if one was found. */
    void printSmaller(Optional<SmallerCase> smaller) throws IOException;

    /** Ends the report with the overall result. */
    void conclude(boolean clean) throws IOException;
}
