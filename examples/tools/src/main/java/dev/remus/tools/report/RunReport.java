package dev.remus.tools.report;

import dev.remus.cli.cluster.RunRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Completes the folder of a run, so that it is self-contained. Beside the {@code metrics.json}, {@code metrics.txt} and
 * {@code latency.csv} of the program, it holds
 *
 * <pre>
 *   command.txt        the command line
 *   environment.txt    the hardware and software
 *   throughput.csv     operations per second over time, of each node
 *   *.png, *.svg       charts of throughput, latency, remote operations and memory
 *   report.html        all of it on one page
 * </pre>
 */
public final class RunReport {
    /** The name of the page. */
    public static final String PAGE = "report.html";

    private static final String COMMAND = "command.txt";
    private static final String ENVIRONMENT = "environment.txt";

    /** The measured phase; earlier ones prepare it. */
    private static final String PHASE = "run";

    private RunReport() {}

    /**
     * Writes all these files.
     *
     * @param folder the folder of a run, with its {@code metrics.json}
     * @param pictures whether to write the charts as pictures too, which takes about a second
     * @return the page
     */
    public static Path complete(Path folder, RunRecord record, boolean pictures) throws IOException {
        write(folder.resolve(COMMAND), record.commandLine() + "\n");
        Map<String, String> environment = MachineFacts.read();
        environment.put("Java options", String.join(" ", record.javaFlags()));
        StringBuilder text = new StringBuilder();
        environment.forEach(
                (name, value) -> text.append(name).append(": ").append(value).append('\n'));
        write(folder.resolve(ENVIRONMENT), text.toString());
        write(folder.resolve(Run.THROUGHPUT), Rates.toCsv(Rates.of(record.log().entries(), PHASE)));
        if (pictures) {
            System.setProperty("java.awt.headless", "true"); // charts go only to files
            Run run = Run.read(folder);
            for (Map.Entry<String, Chart> chart :
                    new Charts(Map.of(run.name(), run)).all().entrySet()) {
                new TitledChart(chart.getValue()).write(folder, chart.getKey());
            }
        }
        return page(folder);
    }

    /** Writes only the page, from the files in the folder. */
    static Path page(Path folder) throws IOException {
        Map<String, String> environment = new LinkedHashMap<>();
        if (Files.exists(folder.resolve(COMMAND))) {
            environment.put("command", Files.readString(folder.resolve(COMMAND)).strip());
        }
        if (Files.exists(folder.resolve(ENVIRONMENT))) {
            for (String line : Files.readAllLines(folder.resolve(ENVIRONMENT))) {
                int colon = line.indexOf(": ");
                environment.put(line.substring(0, Math.max(0, colon)), line.substring(colon + 2));
            }
        }
        Path page = folder.resolve(PAGE);
        write(page, new RunPage(Run.read(folder), environment).toHtml());
        return page;
    }

    private static void write(Path file, String text) throws IOException {
        Files.writeString(file, text, StandardCharsets.UTF_8);
    }
}
