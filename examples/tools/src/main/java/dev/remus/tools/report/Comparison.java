package dev.remus.tools.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Writes a page that compares several runs. */
public final class Comparison {
    private Comparison() {}

    /** The folders of all runs at or below a folder, sorted by name. */
    public static List<Path> runsBelow(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.endsWith(Run.METRICS))
                    .map(Path::getParent)
                    .sorted()
                    .toList();
        }
    }

    /**
     * Writes the page.
     *
     * @param folders of runs, each with its {@code metrics.json}
     * @param page the file, replaced if it exists
     */
    public static void write(List<Path> folders, Path page) throws IOException {
        Map<String, Run> runs = new LinkedHashMap<>();
        for (Path folder : folders) {
            Run run = Run.read(folder);
            String name = run.name();
            for (int i = 2; runs.containsKey(name); i++) {
                name = run.name() + " (" + i + ")";
            }
            runs.put(name, run);
        }
        Path parent = page.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        Files.writeString(page, new ComparisonPage(runs).toHtml());
    }
}
