package dev.remus.tools.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Latencies measured by perftest, where it is installed, as an independent reference. */
final class Perftest {
    private static final int SECONDS = 20;
    private static final int TYPICAL = 4; // "#bytes #iterations t_min t_max t_typical ..."

    private Perftest() {}

    /** Runs each program and returns one line for each. */
    static String run(String host) {
        return line("READ", host, "ib_read_lat")
                + write(host, Runtime.getRuntime().availableProcessors())
                + line("COMPARE_AND_SWAP", host, "ib_atomic_lat", "-A", "CMP_AND_SWAP")
                + line("FETCH_AND_ADD", host, "ib_atomic_lat", "-A", "FETCH_AND_ADD");
    }

    /**
     * Both processes of {@code ib_write_lat} poll memory, so on one processor it would measure the scheduler's time
     * slice.
     */
    static String write(String host, int processors) {
        String what = "WRITE, half a round trip";
        return processors > 1
                ? line(what, host, "ib_write_lat")
                : String.format(
                        "perftest %-26s not measured: both of its processes poll, so it needs two processors%n", what);
    }

    private static String line(String what, String host, String... program) {
        try {
            return String.format(
                    "perftest %-26s %s%n",
                    what, typical(host, program).map(figure -> figure + " µs").orElse("printed no figure"));
        } catch (IOException e) {
            return String.format("perftest %-26s not installed (%s)%n", what, program[0]);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    /** The typical latency in microseconds, as printed by the program. */
    private static Optional<String> typical(String host, String... program) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(Arrays.asList(program));
        command.addAll(List.of("-F", "-n", "1000"));
        if (!program[0].equals("ib_atomic_lat")) {
            command.addAll(List.of("-s", "8"));
        }
        Process server = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            command.add(host);
            Thread.sleep(1000); // the server does not report when it listens
            Process client =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            try {
                if (!client.waitFor(SECONDS, TimeUnit.SECONDS)) {
                    return Optional.empty();
                }
                return new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                        .lines()
                        .map(String::strip)
                        .filter(line -> line.matches("8\\s+\\d+\\s+[0-9.]+.*"))
                        .map(line -> line.split("\\s+")[TYPICAL])
                        .findFirst();
            } finally {
                client.destroyForcibly();
            }
        } finally {
            server.destroyForcibly();
        }
    }
}
