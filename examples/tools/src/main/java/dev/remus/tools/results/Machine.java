// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The machine of a measurement, without names or addresses that identify it.
 *
 * @param processor the model of the processor
 * @param processors the number of processors available to the JVM
 * @param memory the memory of the machine, in GiB
 * @param system the operating system and the version of its kernel
 * @param architecture the instruction set
 */
public record Machine(String processor, int processors, String memory, String system, String architecture) {
    private static final Path PROC = Path.of("/proc");
    private static final double KIB_PER_GIB = 1 << 20;

    /** This machine. */
    public static Machine here() {
        String architecture = System.getProperty("os.arch");
        return new Machine(
                value("cpuinfo", "model name").orElse("unknown processor (" + architecture + ")"),
                Runtime.getRuntime().availableProcessors(),
                value("meminfo", "MemTotal").map(Machine::gib).orElse("unknown"),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                architecture);
    }

    /** The load of this machine now: the averages of 1, 5 and 15 minutes, if it has them. */
    static Optional<String> load() {
        try (Stream<String> lines = Files.lines(PROC.resolve("loadavg"))) {
            return lines.findFirst();
        } catch (IOException e) {
            return Optional.empty(); // not Linux
        }
    }

    private static Optional<String> value(String file, String name) {
        try (Stream<String> lines = Files.lines(PROC.resolve(file))) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty(); // not Linux
        }
    }

    /** The kernel's "16384000 kB" as GiB: what the kernel keeps for itself differs a little from start to start. */
    private static String gib(String kib) {
        String digits = kib.replaceAll("[^0-9]", "");
        return digits.isEmpty()
                ? "unknown"
                : String.format(Locale.ROOT, "%.1f GiB", Double.parseDouble(digits) / KIB_PER_GIB);
    }

    /** Its parts by name. */
    Map<String, String> toMap() {
        Map<String, String> parts = new LinkedHashMap<>();
        parts.put("processor", processor);
        parts.put("processors", Integer.toString(processors));
        parts.put("memory", memory);
        parts.put("system", system);
        parts.put("architecture", architecture);
        return parts;
    }

    @Override
    public String toString() {
        return processor + ", " + processors + " cores, " + system;
    }
}
