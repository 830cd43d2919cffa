// SPDX-License-Identifier: Apache-2.0
package dev.remus.cli.cluster;

import dev.remus.config.ClusterConfig;
import java.io.PrintStream;
import java.util.Optional;

/** The latency that a run emulated, for its results: such figures are not those of hardware. */
public final class EmulatedLatency {
    private EmulatedLatency() {}

    /** For example {@code 2 µs} or {@code infiniband-fdr}; empty if the run emulated none. */
    public static Optional<String> of(ClusterConfig config) {
        if (!config.emulatesLatency()) {
            return Optional.empty();
        }
        String latency = config.emulatedLatency();
        return Optional.of(Character.isDigit(latency.charAt(0)) ? latency + " µs" : latency);
    }

    /** Prints a line if a run emulates a latency. */
    public static void print(ClusterConfig config, PrintStream out) {
        of(config).ifPresent(latency -> out.println("The times of operations are emulated: " + latency));
    }
}
