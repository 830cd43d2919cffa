// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Writes a page that compares several runs. */
public final class Comparison {
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}$");

    /** Sorts by name, and names that end in a number by that: nd-2 precedes nd-12. */
    private static final Comparator<Path> BY_NUMBER = Comparator.comparing(
                    (Path folder) -> NUMBER.matcher(folder.toString()).replaceFirst(""))
            .thenComparing(folder -> {
                Matcher number = NUMBER.matcher(folder.toString());
                return number.find() ? Integer.parseInt(number.group()) : 0;
            })
            .thenComparing(Comparator.naturalOrder());

    private Comparison() {}

    /** The folders of all runs at or below a folder, sorted by name. */
    public static List<Path> runsBelow(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.endsWith(Run.METRICS))
                    .map(Path::getParent)
                    .sorted(BY_NUMBER)
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
        List<Run> runs = new ArrayList<>();
        for (Path folder : folders) {
            runs.add(Run.read(folder));
        }
        Path parent = page.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        Files.writeString(page, new ComparisonPage(new Differences(runs)).toHtml());
    }
}
