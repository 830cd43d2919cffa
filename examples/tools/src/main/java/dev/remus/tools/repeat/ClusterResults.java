// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.repeat;

import dev.remus.cli.cluster.RunRecord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The folders that {@code cloudlab/cl} makes: of a run on several machines, or of a sweep of such runs. */
final class ClusterResults {
    private static final String EXPERIMENT = "experiment.sh";
    private static final String CLUSTER = "cluster.sh";

    private ClusterResults() {}

    /**
     * The command line that repeats the run or the sweep.
     *
     * @param folder of results, which may belong to a node of a run
     * @return empty if {@code cl} has not made the folder
     */
    static Optional<String> commandToRepeat(Path folder) {
        Path own = folder.toAbsolutePath().normalize();
        while (own != null && !isOwn(own)) {
            own = own.getParent();
        }
        if (own == null) {
            return Optional.empty();
        }
        Path above = own.getParent();
        boolean isRun = Files.exists(own.resolve("arguments.txt"));
        Path whole = isRun && above != null && isOwn(above) ? above : own;
        boolean isSweep = !isRun || !whole.equals(own);
        return Optional.of("cloudlab/cl "
                + String.join(
                        " ",
                        List.of(
                                RunRecord.quoted(whole.resolve(CLUSTER).toString()),
                                isSweep ? "sweep" : "build-run",
                                RunRecord.quoted(whole.resolve(EXPERIMENT).toString()))));
    }

    private static boolean isOwn(Path folder) {
        return Files.isRegularFile(folder.resolve(EXPERIMENT)) && Files.isRegularFile(folder.resolve(CLUSTER));
    }
}
