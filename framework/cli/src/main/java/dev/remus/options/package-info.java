// SPDX-License-Identifier: Apache-2.0
/**
 * Command-line options: a program declares each option once, as a value, gathers options into groups, and reads them
 * into typed {@link dev.remus.options.Arguments}.
 *
 * <p>{@link dev.remus.options.RemusOptions} makes the options that every program of the framework has from {@link
 * dev.remus.config.ClusterSettings}. A program adds a group of its own:
 *
 * <pre>{@code
 * static final OptionSpec<Long> ITEMS =
 *         OptionSpec.integer("--items", 1, 1_000_000, "Items per thread").withDefault(1000L);
 *
 * public static void main(String... args) {
 *     OptionSet options = new OptionSet("hello", "Prints a greeting from every thread.")
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
 * <p>May depend on {@code dev.remus.config} and on Apache Commons CLI, which splits the command line and lays out the
 * usage text; no signature contains its classes. Only programs depend on this package: the rest of the framework takes
 * a {@link dev.remus.config.ClusterConfig}.
 */
@NullMarked
package dev.remus.options;

import org.jspecify.annotations.NullMarked;
