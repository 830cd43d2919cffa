package dev.remus.examples;

import dev.remus.examples.bench.BenchCommand;
import dev.remus.examples.check.CheckCommand;
import dev.remus.examples.cluster.ExitStatus;
import dev.remus.examples.cluster.ProgramRunner;
import dev.remus.examples.doctor.DoctorCommand;
import dev.remus.examples.newproject.NewCommand;
import dev.remus.examples.plot.PlotCommand;
import dev.remus.examples.plot.TableCommand;
import dev.remus.examples.queue.QueueProgram;
import dev.remus.examples.report.ReportCommand;
import dev.remus.examples.top.TopCommand;
import dev.remus.examples.torture.TortureCommand;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Runs one of the commands, the name of which is the first word of the command line. */
public final class Main {
    private static final List<Command> COMMANDS = List.of(
            Command.of(new IntSetProgram()),
            new Command(
                    QueueProgram.NAME,
                    QueueProgram.SUMMARY,
                    (out, err, args) -> QueueProgram.run(Main.class, out, err, args)),
            Command.of(new HelloProgram()),
            Command.of(new SharedObjectProgram()),
            new Command(CheckCommand.NAME, CheckCommand.SUMMARY, CheckCommand::run),
            new Command(BenchCommand.NAME, BenchCommand.SUMMARY, BenchCommand::run),
            new Command(DoctorCommand.NAME, DoctorCommand.SUMMARY, DoctorCommand::run),
            new Command(
                    TortureCommand.NAME,
                    TortureCommand.SUMMARY,
                    (out, err, args) -> TortureCommand.run(Main.class, out, err, args)),
            new Command(TableCommand.NAME, TableCommand.SUMMARY, TableCommand::run),
            new Command(PlotCommand.NAME, PlotCommand.SUMMARY, PlotCommand::run),
            new Command(ReportCommand.NAME, ReportCommand.SUMMARY, ReportCommand::run),
            new Command(TopCommand.NAME, TopCommand.SUMMARY, TopCommand::run),
            new Command(NewCommand.NAME, NewCommand.SUMMARY, NewCommand::run),
            new Command(
                    CompletionCommand.NAME,
                    CompletionCommand.SUMMARY,
                    (out, err, args) -> new CompletionCommand(commands()).run(out, err, args)));

    private Main() {}

    private static List<Command> commands() {
        return COMMANDS;
    }

    /**
     * Runs a command and ends the process with its {@link ExitStatus}.
     *
     * @param args the name of the command and its command line
     */
    public static void main(String... args) {
        if (ProgramRunner.watchParent()) {
            ProgramRunner.printAsUtf8();
        }
        System.exit(run(args, System.out, System.err));
    }

    /**
     * Runs a command.
     *
     * @param args the name of the command and its command line
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
        Optional<Command> command =
                COMMANDS.stream().filter(c -> c.name().equals(name)).findFirst();
        if (command.isEmpty()) {
            err.print("There is no command '" + name + "'" + didYouMean(name) + "\n\n" + usage());
            return ExitStatus.NOT_STARTED;
        }
        return command.get().body().run(out, err, Arrays.copyOfRange(args, 1, args.length));
    }

    private static String usage() {
        StringBuilder text = new StringBuilder("Usage: remus <command> [options]\n\nCommands\n");
        for (Command command : COMMANDS) {
            text.append(String.format("  %-15s %s%n", command.name(), command.summary()));
        }
        return text.append("\n\"remus <command> --help\" tells more about each.\n")
                .toString();
    }

    private static String didYouMean(String name) {
        return Spelling.nearest(name, COMMANDS.stream().map(Command::name).toList())
                .map(nearest -> "; did you mean '" + nearest + "'?")
                .orElse("");
    }
}
