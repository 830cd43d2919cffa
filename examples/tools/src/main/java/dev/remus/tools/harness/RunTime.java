// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.options.Arguments;
import dev.remus.options.OptionSpec;
import dev.remus.options.RemusOptions;
import java.math.BigDecimal;
import java.util.Map;

/**
 * The option {@code --run-time}. With a number of operations too, the run ends at whichever comes first. With neither,
 * a run on shared memory has a default number of operations. On other fabrics, and with an emulated latency, where
 * operations may take a thousand times as long, it has a default time.
 */
public final class RunTime {
    /** The time of each thread's run in seconds; the default depends on the fabric. */
    public static final OptionSpec<String> OPTION = OptionSpec.text(
            "--run-time",
            "seconds",
            "The time of the run in seconds, such as 10 or 0.5; with --num-ops, the run ends at whichever comes first."
                    + " Without either, 10 s over RDMA and with --latency");

    private static final long CHOSEN_NANOS = 10_000_000_000L;
    private static final String FABRIC_OF_COUNTS = "shm";
    private static final String SECONDS = "[0-9]{1,6}([.][0-9]{1,9})?";
    private static final int DIGITS_OF_NANOS = 9;

    private RunTime() {}

    /**
     * The length that a command line describes.
     *
     * @param arguments of a program that includes {@link #OPTION} and {@link RemusOptions#groups}
     * @param operations the program's option for the number of operations, which has a default
     * @throws dev.remus.options.UsageException if the time is invalid
     */
    public static RunLength length(Arguments arguments, OptionSpec<Long> operations) {
        boolean counts = arguments.isGiven(operations) || !isGiven(arguments) && !isChosen(arguments, operations);
        long most = counts ? arguments.get(operations) : RunLength.UNLIMITED;
        return new RunLength(most, isChosen(arguments, operations) ? CHOSEN_NANOS : nanos(arguments));
    }

    /** Whether the command line leaves the length open, where the default is a time. */
    public static boolean isChosen(Arguments arguments, OptionSpec<Long> operations) {
        return !isGiven(arguments) && isSizeOpen(arguments, operations);
    }

    /** Whether the command line has no number of operations, where they may be slow. */
    public static boolean isSizeOpen(Arguments arguments, OptionSpec<Long> operations) {
        return !arguments.isGiven(operations)
                && (!arguments.get(RemusOptions.FABRIC).equals(FABRIC_OF_COUNTS)
                        || RemusOptions.clusterConfig(arguments).emulatesLatency());
    }

    /** Whether the command line sets a time. */
    public static boolean isGiven(Arguments arguments) {
        return arguments.find(OPTION).isPresent();
    }

    /**
     * The time that a command line sets, in nanoseconds; 0 if it sets none.
     *
     * @throws dev.remus.options.UsageException if it is not a number above 0
     */
    public static long nanos(Arguments arguments) {
        return nanos(arguments, OPTION);
    }

    /** The same for another option with a time in seconds. */
    public static long nanos(Arguments arguments, OptionSpec<String> option) {
        if (arguments.find(option).isEmpty()) {
            return 0;
        }
        String text = arguments.get(option);
        long nanos = text.matches(SECONDS)
                ? new BigDecimal(text).movePointRight(DIGITS_OF_NANOS).longValueExact()
                : 0;
        if (nanos == 0) {
            throw arguments.usageError(option, "a number of seconds above 0 and below 1000000, such as 10 or 0.5");
        }
        return nanos;
    }

    /** Records the effective length of a run in its options. */
    public static void record(RunLength length, OptionSpec<Long> operations, Map<String, String> options) {
        if (length.operations() == RunLength.UNLIMITED) {
            options.remove(operations.name());
        }
        if (length.isTimed()) {
            options.put(OPTION.name(), length.seconds());
        }
    }
}
