// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.newproject;

import dev.remus.cli.cluster.CommandLine;
import dev.remus.cli.cluster.ExitStatus;
import dev.remus.cli.cluster.RunRecord;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSet;
import dev.remus.options.OptionSpec;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Optional;
import java.util.stream.Stream;

/** The {@code new} command: creates a Maven project with a structure, its tests and its benchmark. */
public final class NewCommand {
    /** The name of the command. */
    public static final String NAME = "new";

    private static final String SUMMARY =
            "Creates a Maven project with a small structure, its tests and its benchmark.";

    private static final OptionSpec<TemplateKind> TEMPLATE = OptionSpec.choice(
                    "--template", TemplateKind.class, "The structure to begin with")
            .withDefault(TemplateKind.STACK);

    private static final OptionSpec<Path> DIR =
            OptionSpec.path("--dir", "The project's folder; by default a folder with its name in the current one");

    private static final OptionSpec<String> GROUP = OptionSpec.text(
            "--group",
            "group",
            "The Maven group, the parent package of the project's; by default the project's package itself");

    private static final OptionSpec<String> PACKAGE = OptionSpec.text(
            "--package", "package", "The project's package; by default the group and the name without dashes");

    private NewCommand() {}

    /**
     * Runs the command.
     *
     * @param out receives the new folder and the next commands
     * @param err receives errors
     * @param args the command line, without the name
     * @return an {@link ExitStatus}
     */
    public static int run(PrintStream out, PrintStream err, String... args) {
        OptionSet options = new OptionSet("./remus " + NAME, SUMMARY)
                .include(new OptionGroup("New", TEMPLATE, DIR, GROUP, PACKAGE))
                .requireOne("name")
                .example("./remus new my-structure")
                .example("./remus new my-queue --template queue --group org.example --dir ~/projects/my-queue");
        return CommandLine.run(NAME, options, arguments -> create(arguments, out), out, err, args);
    }

    private static int create(Arguments arguments, PrintStream out) throws IOException {
        ProjectName name = name(arguments);
        Path folder = arguments.find(DIR).orElse(Path.of(name.name()));
        if (isUsed(folder)) {
            throw arguments.usageError(
                    "'" + folder + "' already exists and is not an empty folder; choose another --dir");
        }
        Template.write(arguments.get(TEMPLATE), name, arguments.find(GROUP).orElse(name.packageName()), folder);
        out.println("project: " + folder);
        out.println("next:    cd " + framework().map(NewCommand::quoted).orElse("REMUS")
                + " && ./mvnw install -DskipTests   # once, to make the framework available to the project");
        out.println("         cd " + quoted(folder) + " && ./mvnw test");
        out.flush();
        return ExitStatus.OK;
    }

    private static ProjectName name(Arguments arguments) throws IOException {
        ProjectName name;
        try {
            name = ProjectName.of(String.join(" ", arguments.rest()), Template.classes(arguments.get(TEMPLATE)));
        } catch (IllegalArgumentException e) {
            throw arguments.usageError(String.valueOf(e.getMessage()));
        }
        OptionSpec<String> given = GROUP;
        try {
            ProjectName inGroup = arguments.find(GROUP).map(name::in).orElse(name);
            given = PACKAGE;
            return arguments.find(PACKAGE).map(inGroup::inPackage).orElse(inGroup);
        } catch (IllegalArgumentException e) {
            throw arguments.usageError(given, String.valueOf(e.getMessage()));
        }
    }

    private static boolean isUsed(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return Files.exists(folder);
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.findAny().isPresent();
        }
    }

    /** The checkout of Remus, found above this class or its jar file. */
    private static Optional<Path> framework() {
        CodeSource source = NewCommand.class.getProtectionDomain().getCodeSource();
        if (source == null) {
            return Optional.empty();
        }
        try {
            Path folder = Path.of(source.getLocation().toURI());
            while (folder != null && !Files.exists(folder.resolve("mvnw"))) {
                folder = folder.getParent();
            }
            return Optional.ofNullable(folder);
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    /** The absolute path, quoted for a shell. */
    private static String quoted(Path folder) {
        return RunRecord.quoted(folder.toAbsolutePath().normalize().toString());
    }
}
