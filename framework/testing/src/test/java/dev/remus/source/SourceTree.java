// SPDX-License-Identifier: Apache-2.0
package dev.remus.source;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The checkout in which a test runs, and its modules. */
public final class SourceTree {
    /** The folder with the launcher and the parent {@code pom.xml}. */
    public static final Path ROOT = root();

    private static final Pattern MODULE = Pattern.compile("<module>([^<]*)</module>");

    private SourceTree() {}

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.exists(folder.resolve("mvnw"))) {
            folder = folder.getParent();
        }
        if (folder == null) {
            throw new IllegalStateException("tests run in a checkout, in the folder of their module");
        }
        return folder;
    }

    /** The modules that the parent {@code pom.xml} lists, such as {@code framework/core}. */
    public static List<String> modules() {
        try {
            return MODULE.matcher(Files.readString(ROOT.resolve("pom.xml")))
                    .results()
                    .map(match -> match.group(1))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The folders of that name, {@code src/main} or {@code src/test}, in all modules that have one. */
    public static List<Path> folders(String name) {
        return modules().stream()
                .map(module -> ROOT.resolve(module).resolve(name))
                .filter(Files::isDirectory)
                .toList();
    }

    /** All Java files below the folders of that name. */
    public static List<Path> javaFiles(String name) throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path folder : folders(name)) {
            try (Stream<Path> files = Files.walk(folder)) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(found::add);
            }
        }
        return found;
    }

    /** The folder with the sources of a package, in whichever module it is. */
    public static Path packageFolder(String name) {
        return folders("src/main/java").stream()
                .map(folder -> folder.resolve(name.replace('.', '/')))
                .filter(folder -> Files.exists(folder.resolve("package-info.java")))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no module has the package " + name));
    }
}
