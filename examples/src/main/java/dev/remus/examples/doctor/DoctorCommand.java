package dev.remus.examples.doctor;

import dev.remus.config.ClusterDefaults;
import dev.remus.examples.cluster.ExitStatus;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.verbs.Device;
import dev.remus.fabric.verbs.NativeLibrary;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSet;
import dev.remus.options.OptionSpec;
import dev.remus.options.RemusOptions;
import dev.remus.options.UsageException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/** Says what this machine lacks to run a fabric, and which command mends it. */
public final class DoctorCommand {
    /** The word by which it is called. */
    public static final String NAME = "doctor";

    /** What it does, in one line. */
    public static final String SUMMARY =
            "Looks at what a fabric needs of this machine, and says which command mends what is missing.";

    private static final OptionSpec<Long> PORT = RemusOptions.MN_PORT.withDefault((long) ClusterDefaults.MEMORY_PORT);

    private DoctorCommand() {}

    /**
     * Runs the command.
     *
     * @param out gets what was found
     * @param err gets complaints
     * @param args the command line, without the name
     * @return an {@link ExitStatus}; {@link ExitStatus#FAILED} if the fabric cannot run
     */
    public static int run(PrintStream out, PrintStream err, String... args) {
        OptionSet options = new OptionSet(NAME, SUMMARY + " The exit status is 0 if it can run, else 1.")
                .include(new OptionGroup(
                        "Doctor",
                        RemusOptions.FABRIC,
                        RemusOptions.HOSTS,
                        PORT,
                        RemusOptions.SEG_SIZE,
                        RemusOptions.SEGS_PER_MN))
                .example("./remus doctor")
                .example("./remus doctor --fabric verbs --hosts node0,node1");
        try {
            Arguments arguments = options.parse(args);
            if (arguments.helpRequested()) {
                out.print(options.usage());
                return ExitStatus.OK;
            }
            boolean healthy =
                    new Doctor(checks(), new Machine(Path.of("/"), new RealNetwork())).examine(wish(arguments), out);
            out.flush();
            return healthy ? ExitStatus.OK : ExitStatus.FAILED;
        } catch (UsageException e) {
            e.printTo(err);
            return UsageException.EXIT_STATUS;
        }
    }

    private static Wish wish(Arguments arguments) {
        String fabric = arguments.get(RemusOptions.FABRIC);
        if (!fabric.equals(Wish.SHM) && !fabric.equals(Wish.VERBS)) {
            throw arguments.usageError(RemusOptions.FABRIC, "needs " + Wish.SHM + " or " + Wish.VERBS);
        }
        return new Wish(
                fabric,
                arguments.find(RemusOptions.HOSTS).orElse(List.of()),
                arguments.get(PORT).intValue(),
                arguments.get(RemusOptions.SEG_SIZE).intValue(),
                arguments.get(RemusOptions.SEGS_PER_MN).intValue());
    }

    private static List<Check> checks() {
        return List.of(
                new JavaCheck(),
                new SharedMemoryCheck(),
                new KernelModulesCheck(),
                new RdmaDevicesCheck(DoctorCommand::atomics),
                new LockedMemoryCheck(),
                new HugePagesCheck(),
                new NativeLibraryCheck(),
                new HostsCheck());
    }

    /** What a device can do of atomics; another check says so where it cannot be asked. */
    private static String atomics(String device) {
        try {
            NativeLibrary.load();
            return switch (Device.atomicsOf(device)) {
                case 0 -> "";
                case 1 -> "towards each other";
                default -> "towards all accesses";
            };
        } catch (FabricException | IOException e) {
            return "unknown, as the device cannot be asked (" + e.getMessage() + ")";
        }
    }
}
