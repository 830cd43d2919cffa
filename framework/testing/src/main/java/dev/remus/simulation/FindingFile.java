// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * A text file with all that is known about a {@link Finding}: how to replay it, the failure, all recorded operations,
 * and all steps. The steps show the calls, returns and exceptions of operations, the words that each request read or
 * changed, the field that they are, and the line of source that posted it. An HTML file beside it plays the steps.
 *
 * <p>To learn this, the schedule runs once more, with a trace. So the search for findings needs none.
 */
public final class FindingFile {
    private static final int MAX_NAME = 80;

    /** Files of one name, of which all but the first have a number. */
    private static final int MAX_FILES = 1_000;

    private final Finding finding;
    private final String replay;
    private final WatchedRun run;

    private FindingFile(Finding finding, String replay, WatchedRun run) {
        this.finding = finding;
        this.replay = replay;
        this.run = run;
    }

    /**
     * Runs a failing schedule again, and writes the file.
     *
     * @param folder is made if it is missing
     * @param name the name of the file, without the seed; characters other than letters and digits become {@code -}
     * @param replay how the reader can replay the schedule
     * @param scenario the scenario that failed
     * @param schedule an equal new schedule
     * @return the file, or why it could not be written
     */
    public static Written write(
            Path folder, String name, Finding finding, String replay, Scenario scenario, Schedule schedule) {
        FindingFile file = new FindingFile(finding, replay, WatchedRun.of(scenario, schedule));
        try {
            return file.store(folder, name);
        } catch (IOException | UnsupportedOperationException e) {
            return new Written(Optional.empty(), Optional.empty(), e.toString());
        }
    }

    /**
     * The outcome of writing the file of a finding.
     *
     * @param path the file; empty if it could not be written
     * @param page the page beside it that plays the run; empty if it could not be written, or if there is nothing to
     *     play because the scenario ran no cluster
     * @param problem why the file could not be written; empty if it was
     */
    public record Written(Optional<Path> path, Optional<Path> page, String problem) {
        /** A sentence for the reader, which names the file or the problem. */
        public String sentence() {
            return path.map(file -> "all operations and steps: " + file)
                    .map(files -> files
                            + page.map(file -> "\nto watch them, open " + file).orElse(""))
                    .orElse("the file with all operations and steps could not be written: " + problem);
        }
    }

    private static String safe(String name) {
        String safe = name.replaceAll("[^A-Za-z0-9]+", "-");
        return safe.length() > MAX_NAME ? safe.substring(0, MAX_NAME) : safe;
    }

    private String text() {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        out.println("Replay: " + replay);
        Optional<Finding> again = run.finding().map(found -> new Finding(finding.seed(), found.cause())); // or a number
        if (!again.equals(Optional.of(finding))) {
            out.println("The run below " + (again.isEmpty() ? "did not fail" : "failed in another way")
                    + ": it depends on something besides its schedule.");
        }
        heading("The failure", out);
        out.println(finding.describe().stripTrailing());
        out.println();
        finding.cause().printStackTrace(out);
        heading("All calls and returns of recorded operations", out);
        if (run.droppedOperations() > 0) {
            out.println("... " + run.droppedOperations() + " earlier ones were dropped");
        }
        run.operations().forEach(out::println);
        for (String trace : run.traces()) {
            heading("The steps: number, virtual time in ns, and the thread or lane that goes on", out);
            out.print(trace);
        }
        return text.toString();
    }

    private static void heading(String title, PrintWriter out) {
        out.println();
        out.println(title);
        out.println("-".repeat(title.length()));
    }

    private Written store(Path folder, String name) throws IOException {
        Files.createDirectories(folder);
        String text = text();
        String start = safe(name) + "-" + finding.seed();
        for (int number = 1; number < MAX_FILES; number++) {
            String unique = start + (number == 1 ? "" : "-" + number);
            Path file = folder.resolve(unique + ".txt");
            try {
                Files.writeString(file, text, StandardCharsets.UTF_8, StandardOpenOption.CREATE_NEW);
            } catch (FileAlreadyExistsException e) {
                continue; // of an earlier run: the next number
            }
            return new Written(Optional.of(file), storePage(folder.resolve(unique + ".html"), name), "");
        }
        throw new IOException(folder + " has " + MAX_FILES + " files of this name; remove some");
    }

    /** Writes the page beside the file, if there was a cluster that it can show. */
    private Optional<Path> storePage(Path file, String name) throws IOException {
        if (!run.hasCluster()) {
            return Optional.empty();
        }
        run.writePage(file, name, replay);
        return Optional.of(file);
    }
}
