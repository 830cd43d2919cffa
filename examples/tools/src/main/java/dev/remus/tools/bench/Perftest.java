// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The programs of perftest, where they are installed, as an independent reference: a server and a client of each, on
 * this machine's port.
 */
final class Perftest {
    private static final int SECONDS = 20;
    private static final long SERVER_STARTS_MILLIS = 1000; // the server does not report when it listens
    private static final int ITERATIONS = 1000;
    private static final int TYPICAL = 4; // "#bytes #iterations t_min t_max t_typical ..."
    private static final int LATENCY_COLUMNS = 6;
    private static final int RATE = 4; // "#bytes #iterations BW peak[MB/sec] BW average[MB/sec] MsgRate[Mpps]"
    private static final double MILLION = 1e6;

    private Perftest() {}

    /**
     * The typical latency of 8 bytes in microseconds; empty if the program prints none.
     *
     * @throws IOException if the program is not installed
     */
    static OptionalDouble micros(String host, String... program) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(program));
        if (!program[0].equals("ib_atomic_lat")) { // which has no other size
            command.addAll(List.of("-s", "8"));
        }
        return figure(output(host, command), TYPICAL, LATENCY_COLUMNS);
    }

    /**
     * READs of 8 bytes per second with so many outstanding; empty if the program prints no rate.
     *
     * @throws IOException if the program is not installed
     */
    static OptionalDouble readsPerSecond(String host, int outstanding) throws IOException, InterruptedException {
        List<String> command = List.of("ib_read_bw", "-s", "8", "-t", Integer.toString(outstanding));
        OptionalDouble millions = figure(output(host, command), RATE, RATE + 1);
        return millions.isPresent() ? OptionalDouble.of(millions.getAsDouble() * MILLION) : millions;
    }

    /** The column of the line of figures for 8 bytes that a program prints. */
    static OptionalDouble figure(String output, int column, int columns) {
        return output.lines()
                .map(line -> line.strip().split("\\s+"))
                .filter(words -> words.length >= columns && words[0].equals("8") && words[1].matches("\\d+"))
                .mapToDouble(words -> Double.parseDouble(words[column]))
                .filter(value -> value > 0)
                .findFirst();
    }

    /** What the client of a program prints; nothing if it does not end in time. */
    private static String output(String host, List<String> program) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of("-F", "-n", Integer.toString(ITERATIONS)));
        Process server = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        @Nullable Process client = null;
        try {
            command.add(host);
            Thread.sleep(SERVER_STARTS_MILLIS);
            client = new ProcessBuilder(command).redirectErrorStream(true).start();
            return client.waitFor(SECONDS, TimeUnit.SECONDS)
                    ? new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    : "";
        } finally {
            if (client != null) {
                client.destroyForcibly();
            }
            server.destroyForcibly();
        }
    }
}
