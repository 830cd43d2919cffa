// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.suite;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.remus.cli.cluster.ExitStatus;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSpec;
import dev.remus.tools.json.JsonOutput;
import dev.remus.tools.plot.RunTable;
import dev.remus.tools.results.Machine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The results of a suite as a JSON object with {@code suite}, {@code complete} (whether everything was measured),
 * {@code finished}, {@code java}, {@code machine}, {@code results} (the folder), {@code tables} and {@code text} (the
 * readable report). Each CSV file in the folder is a table under its name: a list of objects, in which figures are
 * numbers and missing values are null.
 *
 * @param suite the suite's name
 * @param status its exit status
 * @param text its readable report
 */
public record JsonReport(String suite, int status, String text) {
    private static final OptionSpec<Boolean> OPTION = OptionSpec.flag(
                    "--json",
                    "Print the results as JSON, for programs: an object with suite, machine, results (the folder),"
                            + " tables (lists of rows) and text")
            .perNode();

    /** The beginning of the last line of every suite. */
    private static final String RESULTS = "results: ";

    private static final String CSV = ".csv";
    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?");

    /** The option, for the help text of every suite. */
    public static OptionGroup group() {
        return new OptionGroup("Output", OPTION);
    }

    /** Whether a command line requests JSON. */
    public static boolean isAskedFor(List<String> args) {
        return args.contains(OPTION.name()) && !args.contains("--help");
    }

    /**
     * Runs a suite and prints its results as JSON, or nothing if it has none.
     *
     * @param runner runs the suite, whose readable report goes to the given stream
     * @param out receives the JSON
     * @param err receives errors
     * @return the {@link ExitStatus} of the suite
     */
    public static int print(String suite, ToIntFunction<PrintStream> runner, PrintStream out, PrintStream err) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        int status = runner.applyAsInt(new PrintStream(text, true, StandardCharsets.UTF_8));
        JsonReport report = new JsonReport(suite, status, text.toString(StandardCharsets.UTF_8));
        try {
            report.printTo(out);
            return status;
        } catch (IOException e) {
            err.println("remus: the results cannot be read: " + e);
            return ExitStatus.FAILED;
        }
    }

    /** The command line without the option. */
    public static String[] without(List<String> args) {
        return args.stream().filter(word -> !word.equals(OPTION.name())).toArray(String[]::new);
    }

    private Optional<Path> folder() {
        return text.lines()
                .filter(line -> line.startsWith(RESULTS))
                .reduce((earlier, later) -> later)
                .map(line -> Path.of(line.substring(RESULTS.length())));
    }

    private void printTo(PrintStream out) throws IOException {
        Optional<Path> folder = folder();
        if (folder.isEmpty()) {
            return;
        }
        try (JsonGenerator json = JsonOutput.to(out)) {
            json.writeStartObject();
            json.writeStringField("suite", suite);
            json.writeBooleanField("complete", status == ExitStatus.OK);
            json.writeStringField("finished", Instant.now().toString());
            json.writeStringField("java", System.getProperty("java.version"));
            json.writeObjectFieldStart("machine");
            Machine machine = Machine.here();
            json.writeStringField("cpu", machine.processor());
            json.writeNumberField("cores", machine.processors());
            json.writeStringField("os", machine.system());
            json.writeEndObject();
            json.writeStringField("results", folder.get().toString());
            writeTables(folder.get(), json);
            json.writeStringField("text", text);
            json.writeEndObject();
            json.writeRaw('\n');
        }
    }

    private static void writeTables(Path folder, JsonGenerator json) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.filter(file -> file.toString().endsWith(CSV)).sorted().toList();
        }
        json.writeObjectFieldStart("tables");
        for (Path file : files) {
            String name = String.valueOf(file.getFileName());
            json.writeArrayFieldStart(name.substring(0, name.length() - CSV.length()));
            for (Map<String, String> row : RunTable.read(file).rows()) {
                json.writeStartObject();
                for (Map.Entry<String, String> cell : row.entrySet()) {
                    json.writeFieldName(cell.getKey());
                    writeCell(cell.getValue(), json);
                }
                json.writeEndObject();
            }
            json.writeEndArray();
        }
        json.writeEndObject();
    }

    private static void writeCell(String value, JsonGenerator json) throws IOException {
        if (value.isEmpty()) {
            json.writeNull();
        } else if (NUMBER.matcher(value).matches()) {
            json.writeNumber(value);
        } else {
            json.writeString(value);
        }
    }
}
