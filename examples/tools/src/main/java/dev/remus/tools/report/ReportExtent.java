// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.report;

import dev.remus.cli.cluster.RunRecord;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** The extent of the report that a run leaves. */
public enum ReportExtent {
    /** A page, and each of its charts as PNG and SVG. */
    FULL,
    /** A page with its charts. */
    PAGE,
    /** No page. */
    NONE;

    /** The option {@code --report}; default full. */
    public static final OptionSpec<ReportExtent> OPTION = OptionSpec.choice(
                    "--report",
                    ReportExtent.class,
                    "Beside the figures, write a page with charts and the charts as pictures, only the page, or neither")
            .withDefault(FULL)
            .perNode();

    private static final OptionGroup GROUP = new OptionGroup("Report", OPTION);

    /** The option, for {@link dev.remus.options.OptionSet#include}. */
    public static OptionGroup group() {
        return GROUP;
    }

    /**
     * Adds the report to the folder of a run, which holds the figures.
     *
     * @return the page, if one was written
     */
    public Optional<Path> complete(Path results, RunRecord record) throws IOException {
        return this == NONE ? Optional.empty() : Optional.of(RunReport.complete(results, record, this == FULL));
    }

    /** As on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
