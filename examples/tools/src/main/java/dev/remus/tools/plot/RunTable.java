// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.plot;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.remus.tools.json.JsonInput;
import dev.remus.tools.results.ProvenanceFile;
import java.io.IOException;
import java.io.UncheckedIOException;
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
 * A table with a row for each run: its folder, its options, by their names without the dashes, its measurements, and
 * its versions and machine. If an option and a measurement have the same name, the first in the file of the run is
 * kept.
 *
 * @param rows the runs, each with its values by column; a row may lack values
 */
public record RunTable(List<Map<String, String>> rows) {
    private static final String RUN = "run";
    private static final String METRICS = "metrics.json";

    /**
     * Gathers all runs in a folder and below it.
     *
     * @param folder the folder, with a {@code metrics.json} of each run at any depth
     * @return the runs sorted by folder; empty if there is no such file
     * @throws IOException if a file cannot be read, or is damaged
     */
    public static RunTable gather(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder)) {
            files = all.filter(file -> file.endsWith(METRICS)).sorted().toList();
        }
        List<Map<String, String>> rows = new ArrayList<>();
        for (Path file : files) {
            Map<String, String> row = new LinkedHashMap<>();
            row.put(RUN, name(file, folder));
            addFields(file, row);
            Path origin = origin(file, folder);
            if (Files.exists(origin)) {
                addFields(origin, row);
            }
            rows.add(row);
        }
        return new RunTable(rows);
    }

    /** The folder of a run within that of all runs; the name of the latter if they are the same. */
    private static String name(Path metrics, Path folder) {
        Path within = folder.relativize(metrics).getParent();
        return String.valueOf(
                within == null ? folder.toAbsolutePath().normalize().getFileName() : within);
    }

    private static void addFields(Path file, Map<String, String> row) throws IOException {
        try (JsonParser json = new JsonFactory().createParser(file.toFile())) {
            json.nextToken();
            flatten(json, "", row);
        } catch (JsonProcessingException e) {
            throw JsonInput.damaged(file, e);
        }
    }

    /** The {@code provenance.json} of a run: beside its metrics, or of the sweep to which it belongs. */
    private static Path origin(Path metrics, Path folder) {
        Path origin = metrics.resolveSibling(ProvenanceFile.NAME);
        for (Path above = metrics.getParent();
                !Files.exists(origin) && above != null && above.startsWith(folder);
                above = above.getParent()) {
            origin = above.resolve(ProvenanceFile.NAME);
        }
        return origin;
    }

    /**
     * Adds fields by name. Fields of nested objects other than options and metrics get the object's name as a prefix.
     */
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
     * Reads a CSV file with column names in its first line, such as one of {@link #write}.
     *
     * @param file a file in UTF-8
     * @throws IOException if the file cannot be read, or has another format
     */
    public static RunTable read(Path file) throws IOException {
        CSVFormat format = CSVFormat.RFC4180
                .builder()
                .setHeader()
                .setSkipHeaderRecord(true)
                .get();
        try (CSVParser csv = CSVParser.parse(file, StandardCharsets.UTF_8, format)) {
            return new RunTable(csv.stream().map(CSVRecord::toMap).toList());
        } catch (UncheckedIOException | IllegalArgumentException | IllegalStateException e) {
            throw new IOException(file + " is not a CSV file with column names: " + e.getMessage(), e);
        }
    }

    /**
     * Writes the table as CSV: the column names, then a line for each run; missing values are empty.
     *
     * @param file the file, replaced if it exists
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
