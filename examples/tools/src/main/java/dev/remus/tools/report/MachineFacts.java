package dev.remus.tools.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The hardware and software of this machine, without names or addresses that identify it. */
final class MachineFacts {
    private static final Path PROC = Path.of("/proc");

    private MachineFacts() {}

    static Map<String, String> read() {
        Map<String, String> facts = new LinkedHashMap<>();
        line(PROC.resolve("cpuinfo"), "model name").ifPresent(v -> facts.put("processor", v));
        facts.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
        line(PROC.resolve("meminfo"), "MemTotal").ifPresent(v -> facts.put("memory", v));
        facts.put(
                "system",
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"));
        first(PROC.resolve("loadavg")).ifPresent(v -> facts.put("load at the end", v));
        facts.put("Java", System.getProperty("java.vm.name") + " " + Runtime.version());
        return facts;
    }

    private static Optional<String> line(Path file, String name) {
        return lines(file).stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst();
    }

    private static Optional<String> first(Path file) {
        return lines(file).stream().findFirst();
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of(); // not Linux: these facts are omitted
        }
    }
}
