package dev.remus.examples;

import dev.remus.examples.cluster.ExitStatus;
import dev.remus.examples.cluster.Program;
import dev.remus.examples.cluster.ProgramRunner;
import dev.remus.examples.torture.TortureCommand;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Runs one of the programs, the name of which is the first word of the command line. */
public final class Main {
    private static final List<Program> PROGRAMS =
            List.of(new IntSetProgram(), new HelloProgram(), new SharedObjectProgram());

    private Main() {}

    /**
     * Runs a program and ends the process with its {@link ExitStatus}.
     *
     * @param args the name of the program and its command line
     */
    public static void main(String... args) {
        if (ProgramRunner.watchParent()) {
            // The lines of a node are read by its parent, wherever they will be shown.
            System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8));
            System.setErr(new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
        }
        System.exit(run(args, System.out, System.err));
    }

    /**
     * Runs a program.
     *
     * @param args the name of the program and its command line
     * @param out gets its output
     * @param err gets complaints and progress
     * @return an {@link ExitStatus}
     */
    public static int run(String[] args, PrintStream out, PrintStream err) {
        if (args.length == 0) {
            err.print("There is no command.\n\n" + usage());
            return ExitStatus.NOT_STARTED;
        }
        String name = args[0];
        if (name.equals("--help") || name.equals("help")) {
            out.print(usage());
            return ExitStatus.OK;
        }
        String[] rest = Arrays.copyOfRange(args, 1, args.length);
        if (name.equals(TortureCommand.NAME)) {
            return TortureCommand.run(Main.class, out, err, rest);
        }
        Optional<Program> program =
                PROGRAMS.stream().filter(p -> p.name().equals(name)).findFirst();
        if (program.isEmpty()) {
            err.print("There is no command '" + name + "'" + didYouMean(name) + "\n\n" + usage());
            return ExitStatus.NOT_STARTED;
        }
        return new ProgramRunner(program.get(), Main.class, out, err).run(rest);
    }

    private static String usage() {
        StringBuilder text = new StringBuilder("Usage: remus <command> [options]\n\nCommands\n");
        for (Program program : PROGRAMS) {
            text.append(line(program.name(), program.summary()));
        }
        text.append(line(TortureCommand.NAME, TortureCommand.SUMMARY));
        return text.append("\n\"remus <command> --help\" tells more about each.\n")
                .toString();
    }

    private static String line(String name, String summary) {
        return String.format("  %-15s %s%n", name, summary);
    }

    private static String didYouMean(String name) {
        List<String> known = Stream.concat(PROGRAMS.stream().map(Program::name), Stream.of(TortureCommand.NAME))
                .toList();
        return Spelling.nearest(name, known)
                .map(nearest -> "; did you mean '" + nearest + "'?")
                .orElse("");
    }
}
