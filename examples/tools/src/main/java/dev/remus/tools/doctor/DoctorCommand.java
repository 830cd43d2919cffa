// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.doctor;

import dev.remus.cli.cluster.CommandLine;
import dev.remus.cli.cluster.ExitStatus;
import dev.remus.config.ClusterSettings;
import dev.remus.config.Suggestion;
import dev.remus.fabric.Fabric;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.verbs.Device;
import dev.remus.fabric.verbs.NativeLibrary;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSet;
import dev.remus.options.OptionSpec;
import dev.remus.options.RemusOptions;
import dev.remus.tools.litmus.Litmus;
import dev.remus.tools.litmus.LitmusResult;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The command {@code doctor}, which lists what a fabric lacks on this machine and the commands that fix it. */
public final class DoctorCommand {
    /** The name of the command. */
    public static final String NAME = "doctor";

    /** A one-line summary. */
    public static final String SUMMARY =
            "Checks whether this machine can run a fabric, and prints the commands that fix what is missing.";

    private static final OptionSpec<Integer> PORT = RemusOptions.MN_PORT.withDefault(
            ClusterSettings.MEMORY_PORT.defaultValue().orElseThrow());

    private static final OptionSpec<Boolean> LITMUS = OptionSpec.flag(
            "--litmus",
            "Also measure, in about 10 s, the behaviour of concurrent accesses to the same memory: torn words, torn"
                    + " records, WRITEs lost to a failing CAS");

    private static final OptionSpec<Boolean> JSON = OptionSpec.flag("--json", "Print the findings as JSON");

    /** The duration of each of the three measurements. */
    private static final Duration LITMUS_PART = Duration.ofSeconds(3);

    private DoctorCommand() {}

    /**
     * Runs the command.
     *
     * @param out gets the findings
     * @param err gets error messages
     * @param args the command line, without the name
     * @return an {@link ExitStatus}; {@link ExitStatus#FAILED} if the fabric cannot run
     */
    public static int run(PrintStream out, PrintStream err, String... args) {
        OptionSet options = new OptionSet("./remus " + NAME, SUMMARY + " The exit status is 0 if it can run, else 1.")
                .include(new OptionGroup(
                        "Doctor",
                        RemusOptions.FABRIC,
                        RemusOptions.HOSTS,
                        PORT,
                        RemusOptions.SEG_SIZE,
                        RemusOptions.SEGS_PER_MN,
                        LITMUS,
                        JSON))
                .example("./remus doctor")
                .example("./remus doctor --fabric verbs --hosts node0,node1")
                .example("./remus doctor --fabric verbs --litmus");
        return CommandLine.run(NAME, options, arguments -> examine(arguments, out), out, err, args);
    }

    private static int examine(Arguments arguments, PrintStream out) throws IOException {
        boolean healthy = new Doctor(
                        checks(arguments.get(LITMUS)), new ExaminedMachine(Path.of("/"), new RealNetwork()))
                .examine(
                        requested(arguments),
                        arguments.get(JSON) ? new JsonDoctorReport(out) : new TextDoctorReport(out));
        out.flush();
        return healthy ? ExitStatus.OK : ExitStatus.FAILED;
    }

    private static RequestedCluster requested(Arguments arguments) {
        String fabric = arguments.get(RemusOptions.FABRIC);
        if (!fabric.equals(RequestedCluster.SHM) && !fabric.equals(RequestedCluster.VERBS)) {
            throw arguments.usageError(
                    RemusOptions.FABRIC,
                    RequestedCluster.SHM + " or " + RequestedCluster.VERBS
                            + Suggestion.didYouMean(fabric, List.of(RequestedCluster.SHM, RequestedCluster.VERBS)));
        }
        return new RequestedCluster(
                fabric,
                arguments.find(RemusOptions.HOSTS).orElse(List.of()),
                arguments.get(PORT),
                arguments.get(RemusOptions.SEG_SIZE),
                arguments.get(RemusOptions.SEGS_PER_MN));
    }

    private static List<Check> checks(boolean litmus) {
        List<Check> quick = List.of(
                new JavaCheck(),
                new SharedMemoryCheck(),
                new KernelModulesCheck(),
                new RdmaDevicesCheck(DoctorCommand::atomics),
                new LockedMemoryCheck(),
                new HugePagesCheck(),
                new ProcessorsCheck(),
                new NativeLibraryCheck(),
                new HostsCheck());
        return litmus
                ? Stream.concat(quick.stream(), Stream.of(new LitmusCheck(DoctorCommand::litmus)))
                        .toList()
                : quick;
    }

    /** Runs the litmus between two nodes of this machine. */
    private static LitmusResult litmus(RequestedCluster requested) {
        return Litmus.run(
                config -> {
                    config.fabric(requested.fabric());
                    if (!requested.fabric().equals(RequestedCluster.VERBS)) {
                        return config;
                    }
                    String host = requested.hosts().stream()
                            .filter(DoctorCommand::isOwn)
                            .findFirst()
                            .or(() -> Fabric.of(config.build()).localHost(config.build()))
                            .orElseThrow(() -> new FabricException("this machine has several RDMA ports, or one without"
                                    + " an address, and --hosts names none of them"));
                    return config.hosts(List.of(host, host)).memoryPort(requested.port());
                },
                LITMUS_PART);
    }

    private static boolean isOwn(String host) {
        try {
            return NetworkInterface.getByInetAddress(InetAddress.getByName(host)) != null;
        } catch (IOException e) {
            return false; // another check reports it as unknown
        }
    }

    /** The atomics of a device, in words. Another check reports why a device cannot be queried. */
    private static String atomics(String device) {
        try {
            NativeLibrary.load();
            return switch (Device.atomicsOf(device)) {
                case 0 -> "";
                case 1 -> "among themselves";
                default -> "with respect to all accesses";
            };
        } catch (FabricException | IOException e) {
            return "unknown, as the device cannot be queried (" + e.getMessage() + ")";
        }
    }
}
