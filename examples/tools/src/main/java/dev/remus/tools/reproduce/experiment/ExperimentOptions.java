// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.experiment;

import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSpec;
import java.nio.file.Path;
import java.util.Locale;

/** The options that experiments have in common. */
public final class ExperimentOptions {
    /** Where operations run. */
    public enum Where {
        /** In the simulator, whose times are modelled. */
        SIM,
        /** In processes of this machine that share memory. */
        SHM,
        /** Over RDMA. */
        VERBS;

        /** As on the command line. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The fabric; only for experiments that list it among their options. */
    public static final OptionSpec<Where> FABRIC = OptionSpec.choice(
                    "--fabric", Where.class, "The fabric: modelled times on sim, measured times on shm and verbs")
            .withDefault(Where.SIM);

    /** The folder for the folders of all runs. */
    public static final OptionSpec<Path> OUT =
            OptionSpec.path("--out", "The folder for results").withDefault(Path.of("results"));

    /** The seed of the random choices; default 1. */
    public static final OptionSpec<Long> SEED = OptionSpec.integer(
                    "--seed", Long.MIN_VALUE, Long.MAX_VALUE, "The seed of the random choices")
            .withDefault(1L);

    static final OptionSpec<Boolean> FULL =
            OptionSpec.flag("--full", "Runs the experiment as published, however long it takes");

    static final OptionSpec<Boolean> QUICK =
            OptionSpec.flag("--quick", "Runs a few points only, to try the command; its figures mean nothing");

    private ExperimentOptions() {}

    /** The options of every experiment. */
    static OptionGroup common() {
        return new OptionGroup("Run", FULL, QUICK, SEED, OUT);
    }
}
