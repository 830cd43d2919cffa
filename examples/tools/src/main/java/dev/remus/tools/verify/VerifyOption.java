// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.verify;

import dev.remus.config.ClusterSettings;
import dev.remus.config.OnNodeLoss;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSpec;
import dev.remus.options.RemusOptions;
import dev.remus.options.UsageException;
import java.util.Locale;

/** The option {@code --verify}. */
public final class VerifyOption {
    /** The most operations of all threads together, which then fit into the memory of a node's process. */
    public static final int MOST = 2_000_000;

    /** Whether to record all operations and to judge them. */
    public static final OptionSpec<Boolean> OPTION = OptionSpec.flag(
            "--verify",
            String.format(
                    Locale.ROOT,
                    "Record what each operation returned and when, and judge after the run whether the structure keeps its"
                            + " promise; takes 24 bytes per operation, and at most %,d operations in all",
                    MOST));

    private VerifyOption() {}

    /**
     * Whether a command line requests it.
     *
     * @param numOps the program's option for the number of operations
     * @param isTimed whether the run has a time limit; then it ends when the logs are full
     * @param operations the most operations of all threads together
     * @throws UsageException if these are too many, or the run is to continue without lost nodes
     */
    public static boolean isGiven(Arguments arguments, OptionSpec<Long> numOps, boolean isTimed, long operations) {
        boolean verifies = arguments.get(OPTION);
        if (verifies && RemusOptions.clusterConfig(arguments).onNodeLoss() == OnNodeLoss.CONTINUE) {
            throw arguments.usageError(OPTION.name() + ": needs " + ClusterSettings.ON_NODE_LOSS.option() + " "
                    + OnNodeLoss.ABORT + ", since what a lost node has recorded is lost with it");
        }
        if (verifies && !isTimed && operations > MOST) {
            throw arguments.usageError(
                    numOps,
                    String.format(
                            Locale.ROOT,
                            "a lower number with %s: all threads together may record %,d operations, and might make %,d",
                            OPTION.name(),
                            MOST,
                            operations));
        }
        return verifies;
    }
}
