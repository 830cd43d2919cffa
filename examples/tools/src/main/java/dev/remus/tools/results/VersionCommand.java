// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.results;

import dev.remus.cli.cluster.CommandLine;
import dev.remus.cli.cluster.ExitStatus;
import dev.remus.fabric.Version;
import dev.remus.options.OptionSet;
import java.io.PrintStream;
import java.util.Map;

/** The command {@code version}, which prints the versions of this build. */
public final class VersionCommand {
    /** The name of the command. */
    public static final String NAME = "version";

    /** A one-line summary. */
    public static final String SUMMARY = "Prints the versions of this build: of the software, its formats and Java.";

    private VersionCommand() {}

    /**
     * Runs the command.
     *
     * @param out gets the versions
     * @param err gets error messages
     * @param args the command line, without the name
     * @return an {@link ExitStatus}
     */
    public static int run(PrintStream out, PrintStream err, String... args) {
        OptionSet options = new OptionSet("./remus " + NAME, SUMMARY)
                .example("./remus version")
                .example("./remus --version");
        return CommandLine.run(
                NAME,
                options,
                arguments -> {
                    out.print(text(Version.PRESENT, Software.versions()));
                    return ExitStatus.OK;
                },
                out,
                err,
                args);
    }

    /** Nodes need the same protocol and layout, so these have lines of their own. */
    static String text(Version version, Map<String, String> software) {
        return """
                Remus for Java %s
                commit    %s
                protocol  %d
                layout    %d
                Java      %s, %s
                """.formatted(
                        version.software(),
                        software.get("commit"),
                        version.protocol(),
                        version.layout(),
                        software.get("java"),
                        software.get("java_vm"));
    }
}
