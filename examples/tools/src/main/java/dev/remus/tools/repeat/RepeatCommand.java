// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.repeat;

import dev.remus.cli.cluster.CommandLine;
import dev.remus.cli.cluster.ExitStatus;
import dev.remus.cli.cluster.ResultsFolder;
import dev.remus.cli.cluster.RunRecord;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSet;
import dev.remus.options.OptionSpec;
import dev.remus.options.RemusOptions;
import dev.remus.tools.results.Provenance;
import dev.remus.tools.results.ProvenanceFile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * {@code ./remus repeat}: runs the command of a folder of results again with the same seed, and prints the figures of
 * both side by side.
 */
public final class RepeatCommand {
    /** The name of the command. */
    public static final String NAME = "repeat";

    private static final OptionSpec<Boolean> DRY_RUN =
            OptionSpec.flag("--dry-run", "Print the command and what differs from then, and run nothing");

    private static final OptionSpec<Path> OUT =
            RemusOptions.OUT.withHelp("The folder in which the folder of the new results is made");

    private final List<String> measuring;
    private final Commands commands;
    private final PrintStream out;
    private final PrintStream err;

    /** Runs a command with its arguments. */
    public interface Commands {
        /**
         * Runs a command in this process.
         *
         * @param words its name and its arguments
         * @return an {@link ExitStatus}
         */
        int run(String[] words, PrintStream out, PrintStream err);
    }

    /**
     * @param measuring the names of the commands that measure and leave a folder of results; no other is run
     * @param commands runs them
     */
    public RepeatCommand(List<String> measuring, Commands commands, PrintStream out, PrintStream err) {
        this.measuring = List.copyOf(measuring);
        this.commands = commands;
        this.out = out;
        this.err = err;
    }

    private static OptionSet options() {
        return new OptionSet(
                        "./remus " + NAME,
                        "Runs the command of a folder of results again, with the same seed, and prints the figures of both"
                                + " side by side. Paths in the command begin in the current folder.")
                .include(new OptionGroup("Repeat", DRY_RUN, OUT))
                .requireOne("folder")
                .example("./remus repeat results/queue-20261122-101500")
                .example("./remus repeat results/queue-20261122-101500 --dry-run");
    }

    /**
     * Runs the command.
     *
     * @param args the command line, without the name
     * @return the {@link ExitStatus} of the repeated command; that of a usage error if there is none to repeat
     */
    public int run(String... args) {
        return CommandLine.run(NAME, options(), this::repeat, out, err, args);
    }

    private int repeat(Arguments arguments) throws IOException {
        Path folder = folder(arguments);
        Provenance then = provenance(folder, arguments);
        RepeatableCommand command = new RepeatableCommand(then);
        refuse(command, folder, then, arguments);
        Provenance now = Provenance.begin(arguments, NAME);
        if (arguments.get(DRY_RUN)) {
            out.println(RunRecord.commandLine(command.words(arguments.get(OUT))));
            printNotes(command, then, now);
            return ExitStatus.OK;
        }
        Path parent = ResultsFolder.create(arguments.get(OUT), NAME);
        List<String> words = command.words(parent);
        out.println(RunRecord.commandLine(words));
        out.flush();
        printNotes(command, then, now);
        try {
            int status = commands.run(words.toArray(String[]::new), out, err);
            compare(folder, parent);
            return status;
        } finally {
            ResultsFolder.removeIfEmpty(parent);
        }
    }

    private static Path folder(Arguments arguments) {
        if (arguments.rest().size() != 1) {
            throw arguments.usageError("needs one folder of results, such as one in results/");
        }
        String word = arguments.rest().get(0);
        try {
            Path folder = Path.of(word);
            if (Files.isDirectory(folder)) {
                return folder;
            }
        } catch (InvalidPathException e) {
            // no folder either
        }
        throw arguments.usageError("there is no folder " + printable(word));
    }

    private static Provenance provenance(Path folder, Arguments arguments) {
        if (!Files.exists(folder.resolve(ProvenanceFile.NAME))) {
            throw arguments.usageError(printable(withoutProvenance(folder)));
        }
        try {
            return ProvenanceFile.read(folder);
        } catch (IOException e) {
            throw arguments.usageError(printable(String.valueOf(e.getMessage())));
        }
    }

    /** The reason why a folder has no provenance, and what to repeat instead. */
    private static String withoutProvenance(Path folder) {
        Path above = folder.toAbsolutePath().normalize().getParent();
        Optional<String> cluster = ClusterResults.commandToRepeat(folder);
        if (cluster.isPresent()) {
            return folder + " is of a run on several machines; to repeat that: " + cluster.orElseThrow();
        }
        if (above != null && Files.exists(above.resolve(ProvenanceFile.NAME))) {
            return folder + " is a part of a measurement; to repeat that: ./remus " + NAME + " "
                    + RunRecord.quoted(ResultsFolder.fromHere(above).toString());
        }
        if (Files.exists(folder.resolve("metrics.json"))) {
            return folder + " has no " + ProvenanceFile.NAME + ": an earlier version of Remus made it, which did not"
                    + " record what is needed to repeat a run";
        }
        return folder + " is not a folder of results: it has no " + ProvenanceFile.NAME;
    }

    /** Refuses a command that cannot or must not be repeated. */
    private void refuse(RepeatableCommand command, Path folder, Provenance then, Arguments arguments) {
        if (!measuring.contains(command.name())) {
            throw arguments.usageError(folder + " is of the command '" + printable(command.name())
                    + "', but only commands that measure are repeated: " + String.join(", ", measuring));
        }
        if (command.isOneNodeOfSeveral()) {
            throw arguments.usageError(folder + " is of one node of several; "
                    + ClusterResults.commandToRepeat(folder)
                            .map(line -> "to repeat the run: " + line)
                            .orElse("to repeat the run, start each node again with its own command, here "
                                    + then.commandLine()));
        }
    }

    /** Prints what is not as it was then. */
    private void printNotes(RepeatableCommand command, Provenance then, Provenance now) {
        Map<String, String> before = then.conditions();
        now.conditions().forEach((name, value) -> {
            String old = before.getOrDefault(name, "not recorded");
            if (!old.equals(value)) {
                note(name + " differs: then " + old + ", now " + value);
            }
        });
        if (then.isModified()) {
            note("the sources then had changes that are not in the commit");
        }
        if (now.isModified()) {
            note("the sources now have changes that are not in the commit");
        }
        command.code().forEach(words -> note("the command runs code that the folder names: " + words));
    }

    private void note(String text) {
        err.println("remus " + NAME + ": " + printable(text));
    }

    /** Prints the figures of both folders; a failure to do so does not fail the command. */
    private void compare(Path then, Path parent) {
        try {
            Optional<Path> now = newFolder(parent);
            if (now.isPresent()) {
                out.println();
                out.println("then  " + then);
                out.println("now   " + now.orElseThrow());
                out.print(SideBySide.of(then, now.orElseThrow()));
                out.flush();
            }
        } catch (IOException | RuntimeException e) {
            note("the figures cannot be compared: " + e);
        }
    }

    private static Optional<Path> newFolder(Path parent) throws IOException {
        try (Stream<Path> folders = Files.list(parent)) {
            return folders.filter(Files::isDirectory).findFirst();
        }
    }

    /** A text of the folder without characters that would control a terminal. */
    private static String printable(String text) {
        return text.replaceAll("[\\p{Cntrl}\\x80-\\x9f]", "?");
    }
}
