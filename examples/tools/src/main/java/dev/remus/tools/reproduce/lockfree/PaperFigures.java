// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.lockfree;

import dev.remus.tools.plot.RunTable;
import dev.remus.tools.queue.QueueKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The numbers of the paper's figure 4.
 *
 * <p>The paper's text gives the setting: 6 nodes of 12 cores (Intel Xeon X5670), Open MPI 4.1.0, n = 10,000, 2 to 72
 * processes. It gives no value of figures 4 and 5 and names no network, and the copy of the paper that this project has
 * lacks the pictures. So no number is built in. A reader with the paper in hand can give numbers read off its figure.
 */
final class PaperFigures {
    /** A sentence for the output. */
    static final String AVAILABILITY =
            "the paper's text has no value of figures 4 and 5; --paper reads values that you read off its figure 4";

    private final List<Map<String, String>> rows;

    private PaperFigures(List<Map<String, String>> rows) {
        this.rows = rows;
    }

    /** The numbers of the paper's text: none. */
    static PaperFigures ofText() {
        return new PaperFigures(List.of());
    }

    /**
     * Reads numbers from a CSV file with the columns queue, processes and throughput.
     *
     * @throws IOException if the file cannot be read, or lacks a column or a number
     */
    static PaperFigures read(Path file) throws IOException {
        RunTable table = RunTable.read(file);
        for (Map<String, String> row : table.rows()) {
            for (String column : List.of("queue", "processes", "throughput")) {
                if (!row.containsKey(column)) {
                    throw new IOException(file + ": needs the columns queue, processes and throughput");
                }
            }
            check(file, row, "queue", "nd|bd|bc", "one of nd, bd and bc");
            check(file, row, "processes", "[1-9][0-9]{0,3}", "a whole number from 1");
            check(file, row, "throughput", "(?![0.]*$)[0-9]{1,12}([.][0-9]{1,9})?", "a number above 0");
        }
        return new PaperFigures(table.rows());
    }

    private static void check(Path file, Map<String, String> row, String column, String form, String needed)
            throws IOException {
        String value = row.getOrDefault(column, "");
        if (!value.matches(form)) {
            throw new IOException(file + ": " + column + " is '" + value + "'; needs " + needed);
        }
    }

    /** Operations per second; the paper's {@code nd} is the queue as published. Empty if unknown. */
    OptionalDouble throughput(QueueKind queue, int processes) {
        String name = queue == QueueKind.ND_PUBLISHED ? QueueKind.ND.toString() : queue.toString();
        return rows.stream()
                .filter(row -> name.equals(row.get("queue"))
                        && Integer.toString(processes).equals(row.get("processes")))
                .mapToDouble(row -> Double.parseDouble(row.getOrDefault("throughput", "0")))
                .findFirst();
    }
}
