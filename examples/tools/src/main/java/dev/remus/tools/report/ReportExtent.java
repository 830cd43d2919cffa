package dev.remus.tools.report;

import dev.remus.cli.cluster.RunRecord;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** How much a run leaves for its readers. */
public enum ReportExtent {
    /** The page, and each of its charts as PNG and SVG. */
    FULL,
    /** The page with its charts, but no pictures. */
    PAGE,
    /** The figures alone. */
    NONE;

    /** Default full. */
    public static final OptionSpec<ReportExtent> OPTION = OptionSpec.choice(
                    "--report",
                    ReportExtent.class,
                    "Beside the figures, leave a page with charts and the charts as pictures, the page alone, or nothing")
            .withDefault(FULL)
            .perNode();

    private static final OptionGroup GROUP = new OptionGroup("Report", OPTION);

    /** The option, for {@link dev.remus.options.OptionSet#include}. */
    public static OptionGroup group() {
        return GROUP;
    }

    /**
     * Completes the folder of a run that has left its figures.
     *
     * @return the page, if there is to be one
     */
    public Optional<Path> complete(Path results, RunRecord record) throws IOException {
        return this == NONE ? Optional.empty() : Optional.of(RunReport.complete(results, record, this == FULL));
    }

    /** As it is written on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
