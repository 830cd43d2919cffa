// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.cli.cluster.RunRecord;
import dev.remus.options.OptionSpec;
import dev.remus.tools.json.JsonInput;
import dev.remus.tools.results.Provenance;
import dev.remus.tools.results.ProvenanceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes the {@link Provenance} of a run whose nodes agreed on a seed. */
public final class RunProvenance {
    private static final String METRICS = "metrics.json";

    private RunProvenance() {}

    /**
     * Writes it into the folder of the run.
     *
     * @param results a folder in which the first Compute Node has left {@code metrics.json}, with the seed
     * @param seed the program's option for the seed
     */
    public static void write(Path results, RunRecord record, OptionSpec<Long> seed) throws IOException {
        Provenance provenance = Provenance.of(record);
        Path metrics = results.resolve(METRICS);
        if (Files.exists(metrics) && JsonInput.read(metrics).get("seed") instanceof String text) {
            provenance = provenance.withSeed(seed, Long.parseLong(text));
        }
        ProvenanceFile.write(provenance, results);
    }
}
