// SPDX-License-Identifier: Apache-2.0
package dev.remus.cloudlab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Machines that are addresses of this one, behind an SSH server with keys, port and configuration of its own, and the
 * cluster file for them. Programs that would change the system are replaced on their PATH.
 */
final class Machines implements AutoCloseable {
    private static final Path SSHD = Path.of("/usr/sbin/sshd");
    private static final String QUICK_START = "-Xshare:auto -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx128m";

    /** Of node 0 here, and 1000 higher there: hardly that of another run of these tests at the same time. */
    static final long DEBUG_PORT = 10_000 + ProcessHandle.current().pid() % 2_000 * 10;

    private static final List<String> LOOPBACK = List.of("127.0.0.2", "127.0.0.3", "127.0.0.4");

    private final Path folder;
    private final List<String> addresses;
    private final Process sshd;

    private Machines(Path folder, List<String> addresses, Process sshd) {
        this.folder = folder;
        this.addresses = addresses;
        this.sshd = sshd;
    }

    /** Whether this machine has an RDMA device. Asked by JUnit, too. */
    static boolean haveRdmaDevice() {
        String[] devices = Path.of("/sys/class/infiniband").toFile().list();
        return devices != null && devices.length > 0;
    }

    /** What this machine lacks for it, if anything. */
    static Optional<String> missing() throws IOException, InterruptedException {
        if (!Files.isExecutable(SSHD)) {
            return Optional.of("there is no " + SSHD + "; install openssh-server");
        }
        if (System.getProperty("user.name").equals("root") && !Files.isDirectory(Path.of("/run/sshd"))) {
            return Optional.of("an SSH server that runs as root needs the folder /run/sshd");
        }
        for (String program : List.of("ssh", "ssh-keygen")) {
            if (!Shell.has(program)) {
                return Optional.of("there is no " + program + "; install openssh-client");
            }
        }
        return Files.exists(Shell.CLOUDLAB.resolveSibling("examples/launcher/target/remus-launcher-0.2.0.jar"))
                ? Optional.empty()
                : Optional.of("the examples are not packaged; run ./remus test or ./remus build first");
    }

    /** Starts the server for three machines that share their memory. */
    static Machines start(Path folder) throws IOException, InterruptedException {
        return start(folder, LOOPBACK);
    }

    /** Starts the server; one address may stand for several machines. */
    static Machines start(Path folder, List<String> addresses) throws IOException, InterruptedException {
        int port = freePort(addresses.get(0));
        for (String key : List.of("host", "user")) {
            assertThat(Shell.run(
                                    "ssh-keygen",
                                    "-q",
                                    "-t",
                                    "ed25519",
                                    "-N",
                                    "",
                                    "-f",
                                    folder.resolve(key).toString())
                            .status())
                    .isZero();
        }
        Files.createDirectories(folder.resolve("shm"));
        makePrograms(Files.createDirectories(folder.resolve("bin")));
        Path config = folder.resolve("sshd_config");
        List<String> lines = new ArrayList<>();
        lines.add("Port " + port);
        addresses.stream().distinct().forEach(address -> lines.add("ListenAddress " + address));
        lines.add("HostKey " + folder.resolve("host"));
        lines.add("AuthorizedKeysFile " + folder.resolve("user.pub"));
        lines.add("PidFile none");
        lines.add("UsePAM no");
        lines.add("StrictModes no");
        lines.add("PasswordAuthentication no");
        lines.add("KbdInteractiveAuthentication no");
        lines.add("PermitRootLogin prohibit-password");
        lines.add("MaxStartups 100");
        // A home folder of their own, because the user's .bashrc could wait, print, or leave a lock when it is killed.
        lines.add("SetEnv HOME=" + Files.createDirectories(folder.resolve("home")) + " PATH=" + folder.resolve("bin")
                + ":" + System.getenv("PATH"));
        Files.write(config, lines);
        Process sshd = new ProcessBuilder(SSHD.toString(), "-D", "-e", "-f", config.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("sshd.log").toFile())
                .start();
        Machines machines = new Machines(folder, addresses, sshd);
        machines.awaitServer(port);
        Files.write(
                machines.cluster(),
                List.of(
                        "domain=",
                        "machines=(" + String.join(" ", addresses) + ")",
                        "directory=" + folder + "/machine-{id}",
                        "ssh_options=(-p " + port + " -i " + folder.resolve("user")
                                + " -F /dev/null -o UserKnownHostsFile=" + folder.resolve("known_hosts")
                                + " -o LogLevel=ERROR)",
                        "java=" + folder.resolve("bin/java"),
                        "java_options='" + QUICK_START + " -Dremus.shm.dir=" + folder.resolve("shm") + "'",
                        "results=" + folder.resolve("results"),
                        "debug_port=" + DEBUG_PORT,
                        "grace=2"));
        return machines;
    }

    private static int freePort(String address) throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(address))) {
            return socket.getLocalPort();
        }
    }

    /**
     * Makes programs that only print their command line, and a Java that dies if its command line has a certain text.
     * Nodes that run until they are ended leave the processors to everything else.
     */
    private static void makePrograms(Path bin) throws IOException {
        String java = System.getProperty("java.home") + "/bin/java";
        makeProgram(
                bin.resolve("java"),
                "if [ -e '" + bin.resolve("victim") + "' ]; then case \"$*\" in *\"$(cat '" + bin.resolve("victim")
                        + "')\"*) kill -KILL $$ ;; esac; fi",
                "case \"$*\" in *'--num-ops 1000000000'*) renice -n 19 $$ >/dev/null ;; esac",
                "exec '" + java + "' \"$@\"");
        makeProgram(bin.resolve("apt-get"), "echo apt-get \"$@\"");
        makeProgram(bin.resolve("install"), "echo install \"$@\"", "cat");
        makeProgram(bin.resolve("modprobe"), "echo modprobe \"$@\"");
        makeProgram(bin.resolve("sudo"), "exec \"$@\"");
        makeProgram(
                bin.resolve("tar"),
                "if [ -e '" + bin.resolve("no-tar")
                        + "' ]; then case \"$PWD $1\" in */machine-2/*' -czf') exit 1 ;; esac; fi",
                "PATH=${PATH#*:} exec tar \"$@\"");
        makeProgram(bin.resolve("ibv_devinfo"), "echo 'hca_id: rxe0'");
        if (!haveRdmaDevice()) {
            makeRdmaPrograms(bin);
        }
    }

    /** Makes programs by which each address belongs to a device, and reads from each but one take 2.13 µs. */
    private static void makeRdmaPrograms(Path bin) throws IOException {
        makeProgram(
                bin.resolve("ip"),
                "case \"$*\" in '-o addr show to '*) echo \"1: rdma0 inet $5/8\" ;; *) PATH=${PATH#*:} exec ip \"$@\" ;; esac");
        makeProgram(bin.resolve("rdma"), "echo 'link mlx5_2/1 state ACTIVE physical_state LINK_UP netdev rdma0 '");
        makeProgram(
                bin.resolve("ib_read_lat"),
                "for last; do :; done",
                "[ \"$last\" != \"$(cat '" + bin.resolve("no-rdma") + "' 2>/dev/null)\" ] || exit 1",
                "case $last in *.*) echo ' 8 1000 1.90 9.99 2.13 2.20 0.10 3.00 4.00' ;; esac");
    }

    private static void makeProgram(Path file, String... lines) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private void awaitServer(int port) throws IOException, InterruptedException {
        for (int i = 0; i < 1_200 && sshd.isAlive(); i++) {
            try (Socket socket = new Socket(addresses.get(0), port)) {
                return;
            } catch (IOException e) {
                Thread.sleep(50);
            }
        }
        throw new AssertionError("no SSH server: " + Files.readString(folder.resolve("sshd.log")));
    }

    /** The cluster file. */
    Path cluster() {
        return folder.resolve("loopback.sh");
    }

    /** Where results are fetched to. */
    Path results() {
        return folder.resolve("results");
    }

    /** Writes an experiment file. */
    String experiment(String name, String... lines) throws IOException {
        return Files.write(folder.resolve(name + ".sh"), List.of(lines)).toString();
    }

    /** From now on, nodes are killed at their start if their command line contains this text; none if it is empty. */
    void kill(String text) throws IOException {
        Path victim = folder.resolve("bin/victim");
        if (text.isEmpty()) {
            Files.delete(victim);
        } else {
            Files.writeString(victim, text);
        }
    }

    /** From now on, no READ reaches this address; any does if it is empty. */
    void cutOff(String address) throws IOException {
        Files.writeString(folder.resolve("bin/no-rdma"), address);
    }

    /** Whether from now on the last machine cannot send its results. */
    void failFetch(boolean fail) throws IOException {
        Path mark = folder.resolve("bin/no-tar");
        if (fail) {
            Files.createFile(mark);
        } else {
            Files.delete(mark);
        }
    }

    /** Starts the script with this cluster. */
    Shell.Running start(String... arguments) throws IOException {
        return start(cluster(), arguments);
    }

    /** A cluster file with the same and more. */
    Path clusterWith(String name, String... lines) throws IOException {
        List<String> all = new ArrayList<>(Files.readAllLines(cluster()));
        all.addAll(List.of(lines));
        return Files.write(folder.resolve(name + ".sh"), all);
    }

    /** Starts the script with another cluster file. */
    Shell.Running start(Path cluster, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(Shell.CL.toString()));
        List<String> given = new ArrayList<>(List.of(arguments));
        if (given.get(0).startsWith("--")) {
            command.add(given.remove(0));
        }
        command.add(cluster.toString());
        command.addAll(given);
        Map<String, String> environment = Map.of(
                "TMPDIR", folder.toString(), // a test kills the script, which then leaves its files
                "TMUX_TMPDIR", folder.toString(),
                "JAVA_HOME", System.getProperty("java.home"),
                "REMUS_JAVA_OPTS", QUICK_START);
        return Shell.start(environment, command);
    }

    /** Runs the script with this cluster to its end. */
    Shell.Ended cl(String... arguments) throws IOException, InterruptedException {
        return start(arguments).await();
    }

    /** The command lines of the nodes on all machines. */
    List<String> nodes() throws IOException {
        return processes().stream()
                .map(process -> Shell.commandLine(process.pid()).replace('\0', ' '))
                .filter(line -> !line.isEmpty())
                .toList();
    }

    /** The processes in these machines' folders. */
    private List<ProcessHandle> processes() {
        return ProcessHandle.allProcesses()
                .filter(process -> {
                    try {
                        return Files.readSymbolicLink(Path.of("/proc/" + process.pid() + "/cwd"))
                                .startsWith(folder);
                    } catch (IOException e) {
                        return false; // it has ended, or is another user's
                    }
                })
                .toList();
    }

    /** That nothing runs on the machines, and nothing is left in their shared memory. */
    void assertNothingIsLeft() throws IOException, InterruptedException {
        for (int i = 0; i < 1_200 && !nodes().isEmpty(); i++) {
            Thread.sleep(50); // the last lines of a node are still on their way
        }
        assertThat(nodes()).isEmpty();
        try (Stream<Path> files = Files.walk(folder.resolve("shm"))) {
            assertThat(files.filter(Files::isRegularFile)
                            .map(file -> file.getFileName().toString()))
                    .allMatch(".lock"::equals);
        }
    }

    /** Also ends the nodes of a test that has failed: they are detached from the server. */
    @Override
    public void close() throws InterruptedException {
        sshd.descendants().forEach(ProcessHandle::destroyForcibly);
        sshd.destroyForcibly().waitFor();
        processes().forEach(ProcessHandle::destroyForcibly);
    }
}
