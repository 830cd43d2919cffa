// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page2;

import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSet;
import dev.remus.options.OptionSpec;
import dev.remus.options.RemusOptions;
import dev.remus.options.UsageException;

/** Solution of the exercise: a program with two options of its own beside those of the framework. */
public final class PrintGreeting {
    private static final int MAX_TIMES = 10;

    private static final OptionSpec<String> NAME =
            OptionSpec.text("--name", "name", "The name to greet").required();
    private static final OptionSpec<Long> TIMES =
            OptionSpec.integer("--times", 1, MAX_TIMES, "How often").withDefault(1L);

    private PrintGreeting() {}

    /** Takes the options of the framework and two more. */
    public static void main(String... args) {
        OptionSet options = new OptionSet("print-greeting", "Prints greetings from a node.")
                .include(new OptionGroup("Greeting", NAME, TIMES))
                .include(RemusOptions.groups());
        try {
            Arguments arguments = options.parse(args);
            if (arguments.helpRequested()) {
                System.out.print(options.usage());
                return;
            }
            for (long i = 0; i < arguments.get(TIMES); i++) {
                System.out.println("node " + RemusOptions.nodeId(arguments) + " greets " + arguments.get(NAME));
            }
        } catch (UsageException e) {
            e.printTo(System.err);
            System.exit(UsageException.EXIT_STATUS);
        }
    }
}
