package dev.remus.tools.plot;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVPrinter;
import org.apache.commons.csv.CSVRecord;

/**
 * A table with a row for each run: the folder of the run, the options that it ran with, by their names without the
 * dashes, and everything that was measured. Where an option and a measurement have the same name, the first in the
 * file of the run counts.
 *
 * @param rows the runs, each with its values by the names of the columns; not every row has a value in each column
 */
public record RunTable(List<Map<String, String>> rows) {
    private static final String RUN = "run";
    private static final String METRICS = "metrics.json";

    /**
     * Gathers all runs in a folder and those below it.
     *
     * @param folder in which each run has left a {@code metrics.json}, at any depth
     * @return the runs in the order of their folders' names; none if there is no such file
     */
    public static RunTable gather(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder)) {
            files = all.filter(file -> file.endsWith(METRICS)).sorted().toList();
        }
        List<Map<String, String>> rows = new ArrayList<>();
        for (Path file : files) {
            Map<String, String> row = new LinkedHashMap<>();
            row.put(RUN, String.valueOf(folder.relativize(file).getParent()));
            try (JsonParser json = new JsonFactory().createParser(file.toFile())) {
                json.nextToken();
                flatten(json, "", row);
            }
            rows.add(row);
        }
        return new RunTable(rows);
    }

    /** Options and metrics get their own names, fields of other objects that of the object in front. */
    private static void flatten(JsonParser json, String prefix, Map<String, String> row) throws IOException {
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            JsonToken value = json.nextToken();
            if (value == JsonToken.START_OBJECT) {
                flatten(json, name.equals("options") || name.equals("metrics") ? "" : name + "_", row);
            } else if (value.isScalarValue()) {
                row.putIfAbsent(prefix + name.replaceFirst("^--", ""), json.getText());
            } else {
                json.skipChildren();
            }
        }
    }

    /**
     * Reads what {@link #write} has written, or any CSV with names in its first line.
     *
     * @param file in UTF-8
     */
    public static RunTable read(Path file) throws IOException {
        CSVFormat format = CSVFormat.RFC4180
                .builder()
                .setHeader()
                .setSkipHeaderRecord(true)
                .get();
        try (CSVParser csv = CSVParser.parse(file, StandardCharsets.UTF_8, format)) {
            return new RunTable(csv.stream().map(CSVRecord::toMap).toList());
        }
    }

    /**
     * Writes it as CSV: the names of the columns, then a line for each run; what a run has no value for stays empty.
     *
     * @param file which is replaced if it is there
     */
    public void write(Path file) throws IOException {
        Set<String> columns = columns();
        try (Writer writer = Files.newBufferedWriter(file);
                CSVPrinter csv = new CSVPrinter(writer, CSVFormat.RFC4180)) {
            csv.printRecord(columns);
            for (Map<String, String> row : rows) {
                csv.printRecord(
                        columns.stream().map(name -> row.getOrDefault(name, "")).toList());
            }
        }
    }

    /** The names of all columns, in the order in which they first occur. */
    public Set<String> columns() {
        Set<String> columns = new LinkedHashSet<>();
        rows.forEach(row -> columns.addAll(row.keySet()));
        return columns;
    }
}
