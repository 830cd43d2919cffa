// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.experiment;

import dev.remus.cli.cluster.CommandLine;
import dev.remus.cli.cluster.ExitStatus;
import dev.remus.cli.cluster.ResultsFolder;
import dev.remus.cli.cluster.StartException;
import dev.remus.config.Suggestion;
import dev.remus.fabric.FabricException;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSet;
import dev.remus.options.OptionSpec;
import dev.remus.options.UsageException;
import dev.remus.tools.results.Provenance;
import dev.remus.tools.results.ProvenanceFile;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.stream.Stream;

/** Selects an experiment by the first word of a command line, and runs it with the others. */
public final class Experiments {
    private final String command;
    private final String summary;
    private final List<PaperExperiment> experiments;

    /** @param command the name of the command, whose first argument names an experiment */
    public Experiments(String command, String summary, List<PaperExperiment> experiments) {
        this.command = command;
        this.summary = summary;
        this.experiments = List.copyOf(experiments);
    }

    /**
     * Runs the experiment that the first argument names; without arguments, lists the experiments.
     *
     * @param mainClass the main class of each node, see {@link dev.remus.cli.cluster.ProgramRunner}
     * @return an {@link ExitStatus}
     */
    public int run(Class<?> mainClass, PrintStream out, PrintStream err, String... args) {
        String name = args.length == 0 ? "--help" : args[0];
        if (name.equals("--help") || name.equals("help")) {
            out.print(usage());
            out.flush();
            return ExitStatus.OK;
        }
        for (PaperExperiment experiment : experiments) {
            if (experiment.name().equals(name)) {
                List<String> words =
                        Stream.concat(Stream.of(command), Stream.of(args)).toList();
                String[] rest = List.of(args).subList(1, args.length).toArray(String[]::new);
                return CommandLine.run(
                        command,
                        options(experiment),
                        arguments -> run(experiment, arguments, words, mainClass, out, err),
                        out,
                        err,
                        rest);
            }
        }
        String problem = "./remus " + command + ": there is no experiment '" + name + "'"
                + Suggestion.didYouMean(
                        name, experiments.stream().map(PaperExperiment::name).toList());
        UsageException.print(synopsis(), "./remus " + command, problem, err);
        return UsageException.EXIT_STATUS;
    }

    private OptionSet options(PaperExperiment experiment) {
        String line = "./remus " + command + " " + experiment.name();
        OptionSet options = new OptionSet(line, experiment.summary());
        if (!experiment.options().isEmpty()) {
            options.include(new OptionGroup("Experiment", experiment.options().toArray(OptionSpec<?>[]::new)));
        }
        return options.include(ExperimentOptions.common()).example(line).example(line + " --full --seed 7");
    }

    private int run(
            PaperExperiment experiment,
            Arguments arguments,
            List<String> words,
            Class<?> mainClass,
            PrintStream out,
            PrintStream err)
            throws IOException, InterruptedException {
        if (arguments.get(ExperimentOptions.FULL) && arguments.get(ExperimentOptions.QUICK)) {
            throw arguments.usageError("--full and --quick exclude each other");
        }
        Provenance provenance = Provenance.begin(arguments, command, experiment.name())
                .withSeed(ExperimentOptions.SEED, arguments.get(ExperimentOptions.SEED));
        try {
            ExperimentRun run = new ExperimentRun(experiment.name(), arguments, words, mainClass, provenance, out, err);
            try {
                int status = experiment.run(run);
                if (status == ExitStatus.OK) {
                    ProvenanceFile.write(provenance, run.folder()); // with the load at the end
                    out.println("results: " + ResultsFolder.fromHere(run.folder()));
                }
                return status;
            } finally {
                ResultsFolder.removeIfEmpty(run.folder());
            }
        } catch (StartException | FabricException e) {
            err.println("remus: " + e.getMessage());
            return ExitStatus.NOT_STARTED;
        }
    }

    private String synopsis() {
        return "Usage: ./remus " + command + " EXPERIMENT [options]";
    }

    private String usage() {
        StringBuilder text = new StringBuilder(synopsis() + "\n\n" + summary + "\n\nExperiments\n");
        experiments.forEach(e -> text.append(String.format("  %-15s %s%n", e.name(), e.summary())));
        return text + "\n\"./remus " + command + " EXPERIMENT --help\" describes an experiment.\n";
    }
}
