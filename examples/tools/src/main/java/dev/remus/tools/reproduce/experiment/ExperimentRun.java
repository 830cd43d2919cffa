// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.experiment;

import dev.remus.cli.cluster.ResultsFolder;
import dev.remus.cli.cluster.RunRecord;
import dev.remus.options.Arguments;
import dev.remus.tools.results.Provenance;
import dev.remus.tools.results.ProvenanceFile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/** One run of a {@link PaperExperiment}. */
public final class ExperimentRun {
    private final Arguments arguments;
    private final Path folder;
    private final List<String> words;
    private final Class<?> mainClass;
    private final Provenance provenance;
    private final PrintStream out;
    private final PrintStream err;

    /**
     * Creates the folder of a run.
     *
     * @param words the command line, starting with the name of the command
     * @param mainClass the main class of each node, see {@link dev.remus.cli.cluster.ProgramRunner}
     * @param provenance is written as soon as runs begin, for a run that is interrupted
     * @throws dev.remus.cli.cluster.StartException if the folder cannot be created
     */
    ExperimentRun(
            String name,
            Arguments arguments,
            List<String> words,
            Class<?> mainClass,
            Provenance provenance,
            PrintStream out,
            PrintStream err) {
        this.arguments = arguments;
        this.folder = ResultsFolder.create(arguments.get(ExperimentOptions.OUT), "reproduce-" + name)
                .toAbsolutePath();
        this.words = List.copyOf(words);
        this.mainClass = mainClass;
        this.provenance = provenance;
        this.out = out;
        this.err = err;
    }

    /** The command line. */
    public Arguments arguments() {
        return arguments;
    }

    /** How much of the experiment to repeat. */
    public RunExtent extent() {
        if (arguments.get(ExperimentOptions.FULL)) {
            return RunExtent.FULL;
        }
        return arguments.get(ExperimentOptions.QUICK) ? RunExtent.QUICK : RunExtent.DEFAULT;
    }

    /** The seed of all random choices. */
    public long seed() {
        return arguments.get(ExperimentOptions.SEED);
    }

    /** The folder for the results of this run, which exists. */
    public Path folder() {
        return folder;
    }

    /** The command line, quoted for a shell. */
    public String commandLine() {
        StringBuilder line = new StringBuilder("./remus");
        words.forEach(word -> line.append(' ').append(RunRecord.quoted(word)));
        return line.toString();
    }

    /** The main class of each node, for experiments that start processes. */
    public Class<?> mainClass() {
        return mainClass;
    }

    /** Receives tables. */
    public PrintStream out() {
        return out;
    }

    /** Receives errors and progress. */
    public PrintStream err() {
        return err;
    }

    /**
     * Begins the runs: writes their provenance, and starts to show progress; close the result at the end.
     *
     * @param total the work of all points, in any unit that is about proportional to time
     * @throws IOException if the provenance cannot be written
     */
    public PointProgress progress(long total) throws IOException {
        ProvenanceFile.write(provenance, folder);
        return new PointProgress(total, err);
    }
}
