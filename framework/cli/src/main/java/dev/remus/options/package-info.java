/**
 * The command line: options are declared once, as values, gathered into groups that programs define and import, and
 * read into typed {@link dev.remus.options.Arguments}.
 *
 * <p>{@link dev.remus.options.RemusOptions} holds the options that every program of the framework has; a program adds a
 * group of its own:
 *
 * <pre>{@code
 * static final OptionSpec<Long> ITEMS =
 *         OptionSpec.integer("--items", 1, 1_000_000, "Items per thread").withDefault(1000L);
 *
 * public static void main(String... args) {
 *     OptionSet options = new OptionSet("hello", "Says hello from every thread.")
 *             .include(RemusOptions.groups())
 *             .include(new OptionGroup("Hello", ITEMS));
 *     try {
 *         Arguments arguments = options.parse(args);
 *         if (arguments.helpRequested()) {
 *             System.out.print(options.usage());
 *             return;
 *         }
 *         run(RemusOptions.clusterConfig(arguments), RemusOptions.nodeId(arguments), arguments.get(ITEMS));
 *     } catch (UsageException e) {
 *         e.printTo(System.err);
 *         System.exit(UsageException.EXIT_STATUS);
 *     }
 * }
 * }</pre>
 *
 * <p>May depend on {@code dev.remus.config} and on Apache Commons CLI, which does the splitting of the command line and
 * the layout of the usage text and does not show in any signature. Only programs depend on this package: the rest of
 * the framework takes a {@link dev.remus.config.ClusterConfig}.
 */
@NullMarked
package dev.remus.options;

import org.jspecify.annotations.NullMarked;
