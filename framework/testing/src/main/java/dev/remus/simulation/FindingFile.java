package dev.remus.simulation;

import dev.remus.check.Recorder;
import dev.remus.fabric.sim.Simulator;
import dev.remus.record.RecordView;
import dev.remus.record.RecordViews;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A text file with all that is known about a {@link Finding}: how to replay it, the failure, all recorded operations,
 * and all steps. The steps show the calls, returns and exceptions of operations, the words that each request read or
 * changed, the field that they are, and the line of source that posted it.
 *
 * <p>To learn this, the schedule runs once more, with a trace. So the search for findings needs none.
 */
public final class FindingFile {
    private static final int MAX_OPERATIONS = 20_000;
    private static final int MAX_NAME = 80;

    /** Files of one name, of which all but the first have a number. */
    private static final int MAX_FILES = 1_000;

    private final Finding finding;
    private final String replay;
    private final List<Simulator> simulators = new ArrayList<>();
    private final List<FieldNames> fieldNames = new ArrayList<>();
    private final Deque<String> operations = new ArrayDeque<>();
    private long droppedOperations;
    private @Nullable Finding again;

    private FindingFile(Finding finding, String replay) {
        this.finding = finding;
        this.replay = replay;
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
        FindingFile file = new FindingFile(finding, replay);
        file.run(scenario, schedule);
        try {
            return new Written(Optional.of(file.store(folder, safe(name) + "-" + finding.seed())), "");
        } catch (IOException | UnsupportedOperationException e) {
            return new Written(Optional.empty(), e.toString());
        }
    }

    /**
     * The outcome of writing the file of a finding.
     *
     * @param path the file; empty if it could not be written
     * @param problem why it could not be written; empty if it was
     */
    public record Written(Optional<Path> path, String problem) {
        /** A sentence for the reader, which names the file or the problem. */
        public String sentence() {
            return path.map(file -> "all operations and steps: " + file)
                    .orElse("the file with all operations and steps could not be written: " + problem);
        }
    }

    private static String safe(String name) {
        String safe = name.replaceAll("[^A-Za-z0-9]+", "-");
        return safe.length() > MAX_NAME ? safe.substring(0, MAX_NAME) : safe;
    }

    /** Runs the schedule. Files of several threads are made one after the other, since each listens to all views. */
    private void run(Scenario scenario, Schedule schedule) {
        synchronized (FindingFile.class) {
            runAlone(scenario, schedule);
        }
    }

    private void runAlone(Scenario scenario, Schedule schedule) {
        Recorder.Listener listener = new Recorder.Listener() {
            @Override
            public void calls(int thread, Object operation) {
                add("thread " + thread + " calls " + operation);
            }

            @Override
            public void returns(int thread, Object operation, @Nullable Object result) {
                add("thread " + thread + " returns from " + operation + ": " + result);
            }

            @Override
            public void fails(int thread, Object operation, Throwable failure) {
                add("thread " + thread + " fails in " + operation + " with "
                        + failure.toString().lines().findFirst().orElse(""));
            }
        };
        Recorder.addListener(listener);
        Consumer<Object> before = RecordViews.report(view -> add((RecordView) view));
        try {
            again = Finding.in(scenario, schedule.observedBy(simulator -> {
                        schedule.observer().accept(simulator);
                        simulators.add(simulator);
                        FieldNames names = new FieldNames();
                        fieldNames.add(names);
                        simulator.traced(pointer -> simulator.isInside() ? names.of(simulator.self(), pointer) : "");
                    }))
                    .map(found -> new Finding(finding.seed(), found.cause())) // which may be a number instead
                    .orElse(null);
        } finally {
            Recorder.removeListener(listener);
            RecordViews.report(before);
        }
    }

    /** Adds an event of an operation, unless it is one of another test that runs meanwhile. */
    private void add(String event) {
        simulators.stream().filter(Simulator::isInside).forEach(simulator -> {
            simulator.note(event);
            operations.add("step " + simulator.steps() + ": " + event);
            if (operations.size() > MAX_OPERATIONS) {
                operations.removeFirst();
                droppedOperations++;
            }
        });
    }

    private void add(RecordView view) {
        for (int i = 0; i < simulators.size(); i++) {
            Simulator simulator = simulators.get(i);
            if (simulator.isInside()) {
                fieldNames.get(i).add(simulator.self(), view);
            }
        }
    }

    private String text() {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        out.println("Replay: " + replay);
        if (!finding.equals(again)) {
            out.println("The run below " + (again == null ? "did not fail" : "failed in another way")
                    + ": it depends on something besides its schedule.");
        }
        heading("The failure", out);
        out.println(finding.describe().stripTrailing());
        out.println();
        finding.cause().printStackTrace(out);
        heading("All calls and returns of recorded operations", out);
        if (droppedOperations > 0) {
            out.println("... " + droppedOperations + " earlier ones were dropped");
        }
        operations.forEach(out::println);
        for (Simulator simulator : simulators) {
            heading("The steps: number, virtual time in ns, and the thread or lane that goes on", out);
            out.print(simulator.trace());
        }
        return text.toString();
    }

    private static void heading(String title, PrintWriter out) {
        out.println();
        out.println(title);
        out.println("-".repeat(title.length()));
    }

    private Path store(Path folder, String name) throws IOException {
        Files.createDirectories(folder);
        String text = text();
        for (int number = 1; number < MAX_FILES; number++) {
            Path file = folder.resolve(name + (number == 1 ? "" : "-" + number) + ".txt");
            try {
                return Files.writeString(file, text, StandardCharsets.UTF_8, StandardOpenOption.CREATE_NEW);
            } catch (FileAlreadyExistsException e) {
                // of an earlier run: the next number
            }
        }
        throw new IOException(folder + " has " + MAX_FILES + " files of this name; remove some");
    }
}
