// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.config.Suggestion;
import dev.remus.options.UsageException;
import dev.remus.tools.bench.epochs.EpochsSuite;
import dev.remus.tools.bench.growth.GrowthSuite;
import dev.remus.tools.bench.lists.RoundTripsSuite;
import dev.remus.tools.bench.locks.LocksSuite;
import dev.remus.tools.bench.overlap.OverlapSuite;
import dev.remus.tools.bench.queues.ManyToManySuite;
import dev.remus.tools.bench.queues.QueuesSuite;
import dev.remus.tools.bench.queues.RingSuite;
import dev.remus.tools.bench.recovery.RecoverySuite;
import dev.remus.tools.bench.suite.JsonReport;
import dev.remus.tools.bench.suite.SuiteRun;
import dev.remus.tools.bench.transfers.TransfersSuite;
import java.io.PrintStream;
import java.util.List;

/** The {@code bench} command: runs the suite that its first argument names. */
public final class BenchCommand {
    /** The name of the command. */
    public static final String NAME = SuiteRun.COMMAND;

    /** A one-line summary. */
    private static final String SUMMARY = "Measures the speed of the framework against a lower bound or a peer.";

    private static final String SYNOPSIS = "Usage: ./remus bench SUITE [options]";

    /** Runs a suite with its command line, and returns an {@link ExitStatus}. */
    private interface Runner {
        int run(PrintStream out, PrintStream err, String... args);
    }

    private record Suite(String name, String summary, Runner runner) {}

    private static final List<Suite> SUITES = List.of(
            new Suite(
                    PrimitivesSuite.NAME,
                    PrimitivesSuite.SUMMARY,
                    (out, err, args) -> new PrimitivesSuite(out, err).run(args)),
            new Suite(MpiSuite.NAME, MpiSuite.SUMMARY, (out, err, args) -> new MpiSuite(out, err).run(args)),
            new Suite(SimSuite.NAME, SimSuite.SUMMARY, (out, err, args) -> new SimSuite(out, err).run(args)),
            new Suite(RoundTripsSuite.NAME, RoundTripsSuite.SUMMARY, RoundTripsSuite::run),
            new Suite(QueuesSuite.NAME, QueuesSuite.SUMMARY, QueuesSuite::run),
            new Suite(RingSuite.NAME, RingSuite.SUMMARY, RingSuite::run),
            new Suite(ManyToManySuite.NAME, ManyToManySuite.SUMMARY, ManyToManySuite::run),
            new Suite(TransfersSuite.NAME, TransfersSuite.SUMMARY, TransfersSuite::run),
            new Suite(EpochsSuite.NAME, EpochsSuite.SUMMARY, EpochsSuite::run),
            new Suite(LocksSuite.NAME, LocksSuite.SUMMARY, LocksSuite::run),
            new Suite(RecoverySuite.NAME, RecoverySuite.SUMMARY, RecoverySuite::run),
            new Suite(GrowthSuite.NAME, GrowthSuite.SUMMARY, GrowthSuite::run),
            new Suite(OverlapSuite.NAME, OverlapSuite.SUMMARY, OverlapSuite::run),
            new Suite(
                    LockFreeSuite.NAME,
                    LockFreeSuite.SUMMARY,
                    (out, err, args) -> new LockFreeSuite(out, err).run(args)),
            new Suite(VerbsSuite.NAME, VerbsSuite.SUMMARY, (out, err, args) -> new VerbsSuite(out, err).run(args)));

    private BenchCommand() {}

    /**
     * Runs a suite; without arguments, lists the suites.
     *
     * @param out receives the results
     * @param err receives errors and progress
     * @param args the name of the suite and its command line
     * @return an {@link ExitStatus}
     */
    public static int run(PrintStream out, PrintStream err, String... args) {
        String name = args.length == 0 ? "--help" : args[0];
        if (name.equals("--help") || name.equals("help")) {
            out.print(usage());
            return ExitStatus.OK;
        }
        for (Suite suite : SUITES) {
            if (suite.name().equals(name)) {
                List<String> rest = List.of(args).subList(1, args.length);
                return JsonReport.isAskedFor(rest)
                        ? JsonReport.print(
                                name, text -> suite.runner().run(text, err, JsonReport.without(rest)), out, err)
                        : suite.runner().run(out, err, rest.toArray(String[]::new));
            }
        }
        String problem = "./remus bench: there is no suite '" + name + "'"
                + Suggestion.didYouMean(name, SUITES.stream().map(Suite::name).toList());
        UsageException.print(SYNOPSIS, "./remus bench", problem, err);
        return UsageException.EXIT_STATUS;
    }

    private static String usage() {
        StringBuilder text = new StringBuilder(SYNOPSIS + "\n\n" + SUMMARY + "\n\nSuites\n");
        SUITES.forEach(s -> text.append(String.format("  %-15s %s%n", s.name(), s.summary())));
        return text + "\n\"./remus bench SUITE --help\" describes a suite; --json prints the figures for programs.\n";
    }
}
