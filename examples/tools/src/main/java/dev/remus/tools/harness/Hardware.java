// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.fabric.CostModel;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSpec;
import java.io.IOException;
import java.nio.file.InvalidPathException;

/** The option {@code --hardware}: the cost of operations in the simulator. */
public final class Hardware {
    /** A name or a file. */
    public static final OptionSpec<String> OPTION = OptionSpec.text(
                    "--hardware",
                    "name",
                    "The cost of operations on sim: infiniband-fdr, mpi-on-infiniband, soft-roce, or a file of that format (see TRUST.md)")
            .withDefault("infiniband-fdr");

    /** The model with shared memory within a node, as MPI has it. */
    public static final String MPI_ON_INFINIBAND = "mpi-on-infiniband";

    private Hardware() {}

    /**
     * The cost model that a command line selects.
     *
     * @param arguments of a program that includes {@link #OPTION}
     * @throws dev.remus.options.UsageException if there is no such hardware, or its file is malformed
     */
    public static CostModel model(Arguments arguments) {
        String name = arguments.get(OPTION);
        try {
            return CostModel.read(name);
        } catch (IOException | InvalidPathException e) {
            throw arguments.usageError(OPTION.name() + ": " + e.getMessage());
        }
    }
}
