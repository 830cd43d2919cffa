package dev.remus.tools.bench.suite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The machine of a measurement.
 *
 * @param cpu the model of the processor
 * @param cores the number of processors available to the JVM
 * @param system the operating system and its version
 */
public record Machine(String cpu, int cores, String system) {
    private static final Path CPUS = Path.of("/proc/cpuinfo");

    /** This machine. */
    public static Machine here() {
        return new Machine(
                model(),
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("os.name") + " " + System.getProperty("os.version"));
    }

    private static String model() {
        String unknown = "unknown processor (" + System.getProperty("os.arch") + ")";
        try (Stream<String> lines = Files.lines(CPUS)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(unknown);
        } catch (IOException e) {
            return unknown; // not Linux
        }
    }

    @Override
    public String toString() {
        return cpu + ", " + cores + " cores, " + system;
    }
}
