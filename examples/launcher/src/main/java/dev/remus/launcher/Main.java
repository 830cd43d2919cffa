// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.cli.cluster.GracefulShutdown;
import dev.remus.cli.cluster.ProgramRunner;
import dev.remus.config.Suggestion;
import dev.remus.examples.CounterProgram;
import dev.remus.examples.HelloProgram;
import dev.remus.examples.SharedObjectProgram;
import dev.remus.examples.service.ServiceCommand;
import dev.remus.examples.service.load.LoadCommand;
import dev.remus.options.UsageException;
import dev.remus.tools.bench.BenchCommand;
import dev.remus.tools.check.CheckCommand;
import dev.remus.tools.doctor.DoctorCommand;
import dev.remus.tools.harness.IntSetProgram;
import dev.remus.tools.kv.KvCommand;
import dev.remus.tools.newproject.NewCommand;
import dev.remus.tools.plot.PlotCommand;
import dev.remus.tools.plot.TableCommand;
import dev.remus.tools.queue.QueueCommand;
import dev.remus.tools.repeat.RepeatCommand;
import dev.remus.tools.report.ReportCommand;
import dev.remus.tools.reproduce.ReproduceCommand;
import dev.remus.tools.results.VersionCommand;
import dev.remus.tools.shell.ShellCommand;
import dev.remus.tools.top.TopCommand;
import dev.remus.tools.torture.TortureCommand;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Runs the command that the first argument names. */
public final class Main {
    private static final Catalogue CATALOGUE = Catalogue.read();

    private static final List<Command> COMMANDS = List.of(
            Command.of(new IntSetProgram(), Main.class),
            new Command(KvCommand.NAME, (out, err, args) -> KvCommand.run(Main.class, out, err, args)),
            new Command(QueueCommand.NAME, (out, err, args) -> QueueCommand.run(Main.class, out, err, args)),
            Command.of(new HelloProgram(), Main.class),
            Command.of(new SharedObjectProgram(), Main.class),
            Command.of(new CounterProgram(), Main.class),
            new Command(ServiceCommand.NAME, (out, err, args) -> ServiceCommand.run(Main.class, out, err, args)),
            new Command(LoadCommand.NAME, (out, err, args) -> LoadCommand.run(Main.class, out, err, args)),
            new Command(CheckCommand.NAME, CheckCommand::run),
            new Command(BenchCommand.NAME, BenchCommand::run),
            new Command(ReproduceCommand.NAME, (out, err, args) -> ReproduceCommand.run(Main.class, out, err, args)),
            new Command(DoctorCommand.NAME, DoctorCommand::run),
            new Command(TortureCommand.NAME, (out, err, args) -> TortureCommand.run(Main.class, out, err, args)),
            new Command(
                    RepeatCommand.NAME,
                    (out, err, args) -> new RepeatCommand(CATALOGUE.measuring(), Main::run, out, err).run(args)),
            new Command(TableCommand.NAME, TableCommand::run),
            new Command(PlotCommand.NAME, PlotCommand::run),
            new Command(ReportCommand.NAME, ReportCommand::run),
            new Command(TopCommand.NAME, TopCommand::run),
            new Command(NewCommand.NAME, NewCommand::run),
            new Command(ShellCommand.NAME, ShellCommand::run),
            new Command(VersionCommand.NAME, VersionCommand::run),
            new Command(
                    CompletionCommand.NAME,
                    (out, err, args) -> new CompletionCommand(CATALOGUE.entries(), Main::run).run(out, err, args)));

    /** In place of the command {@code version}. */
    private static final List<String> VERSION_OPTIONS = List.of("--version", "-V");

    private Main() {}

    /** The names of the commands dispatched here. */
    static List<String> names() {
        return COMMANDS.stream().map(Command::name).toList();
    }

    /**
     * Runs a command and ends the process with its {@link ExitStatus}.
     *
     * @param args the name of the command and its arguments
     */
    public static void main(String... args) {
        ProgramRunner.watchParent();
        ProgramRunner.printReadably();
        int status = run(args, System.out, System.err);
        GracefulShutdown.leaveStatusToSignal();
        System.exit(status);
    }

    /**
     * Runs a command.
     *
     * @param args the name of the command and its arguments
     * @param out receives its output
     * @param err receives errors and progress
     * @return an {@link ExitStatus}
     */
    public static int run(String[] args, PrintStream out, PrintStream err) {
        String first = args.length == 0 ? "help" : args[0];
        String name = VERSION_OPTIONS.contains(first) ? VersionCommand.NAME : first;
        if (name.equals("--help") || name.equals("help")) {
            out.print(CATALOGUE.usage());
            out.flush();
            return ExitStatus.OK;
        }
        Optional<Command> command =
                COMMANDS.stream().filter(c -> c.name().equals(name)).findFirst();
        if (command.isEmpty()) {
            String problem = CATALOGUE.names().contains(name)
                    ? "remus: '" + name + "' is a command of the script remus: ./remus " + name
                    : "remus: there is no command '" + name + "'" + Suggestion.didYouMean(name, CATALOGUE.names());
            UsageException.print("Usage: ./remus COMMAND [ARGUMENT ...]", "./remus", problem, err);
            return UsageException.EXIT_STATUS;
        }
        return command.get().body().run(out, err, Arrays.copyOfRange(args, 1, args.length));
    }
}
