package dev.remus.examples.newproject;

import dev.remus.examples.cluster.CommandLine;
import dev.remus.examples.cluster.ExitStatus;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSet;
import dev.remus.options.OptionSpec;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** Makes a Maven project for a structure of one's own: the structure, its test in the simulator, its measurement. */
public final class NewCommand {
    /** The word by which it is called. */
    public static final String NAME = "new";

    /** What it does, in one line. */
    public static final String SUMMARY =
            "Makes a Maven project with a small structure, its test in the simulator and its benchmark, to start from.";

    private static final OptionSpec<Path> DIR =
            OptionSpec.path("--dir", "The folder of the project; by default one with its name, here");

    private static final String NEEDED =
            "lower-case letters and digits, beginning with a letter, words joined by single dashes";

    private NewCommand() {}

    /**
     * Runs the command.
     *
     * @param out says what was made, and what to do with it
     * @param err gets complaints
     * @param args the command line, without the name
     * @return an {@link ExitStatus}
     */
    public static int run(PrintStream out, PrintStream err, String... args) {
        OptionSet options = new OptionSet("./remus " + NAME, SUMMARY)
                .include(new OptionGroup("New", DIR))
                .allowRest("name")
                .example("./remus new my-structure")
                .example("./remus new my-structure --dir ~/projects/my-structure");
        return CommandLine.run(NAME, options, arguments -> make(arguments, out, err), out, err, args);
    }

    private static int make(Arguments arguments, PrintStream out, PrintStream err) throws IOException {
        String name = arguments.rest().size() == 1 ? arguments.rest().get(0) : "";
        if (!name.matches("[a-z][a-z0-9]*(-[a-z0-9]+)*")) {
            err.println("remus new: got '" + String.join(" ", arguments.rest()) + "', needs one name: " + NEEDED);
            return ExitStatus.NOT_STARTED;
        }
        Path folder = arguments.find(DIR).orElse(Path.of(name));
        if (isUsed(folder)) {
            err.println("remus new: " + folder + " is there already and not an empty folder; choose another --dir");
            return ExitStatus.NOT_STARTED;
        }
        write(name, folder);
        out.println("project: " + folder);
        out.println("next:    ./mvnw install -DskipTests   (here, once, so that the project finds the framework)");
        out.println("         cd " + folder + " && mvn test");
        return ExitStatus.OK;
    }

    private static boolean isUsed(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return Files.exists(folder);
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.findAny().isPresent();
        }
    }

    private static void write(String name, Path folder) throws IOException {
        String packageName = name.replace("-", "");
        String className = className(name);
        Path source = Path.of("java", packageName);
        Map<String, Path> files = new LinkedHashMap<>();
        files.put("pom.xml", Path.of("pom.xml"));
        files.put("README.md", Path.of("README.md"));
        files.put("Structure.java", Path.of("src/main").resolve(source).resolve(className + ".java"));
        files.put("Benchmark.java", Path.of("src/main").resolve(source).resolve(className + "Benchmark.java"));
        files.put("StructureTest.java", Path.of("src/test").resolve(source).resolve(className + "Test.java"));
        for (Map.Entry<String, Path> file : files.entrySet()) {
            String text = template(file.getKey())
                    .replace("@NAME@", name)
                    .replace("@PACKAGE@", packageName)
                    .replace("@CLASS@", className);
            Path target = folder.resolve(file.getValue());
            Files.createDirectories(target.getParent());
            Files.writeString(target, text);
        }
    }

    /** For example MyStructure for my-structure. */
    private static String className(String name) {
        StringBuilder words = new StringBuilder();
        for (String word : name.split("-")) {
            words.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
        }
        return words.toString();
    }

    private static String template(String name) throws IOException {
        try (InputStream in = NewCommand.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException("the template " + name + " is missing in this build");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
