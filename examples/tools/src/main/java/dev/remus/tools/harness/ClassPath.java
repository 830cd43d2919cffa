// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.config.Suggestion;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/** The user's class path: folders and jar files searched for the classes that a command line names. */
final class ClassPath {
    private static final String CLASS = ".class";

    private final List<Path> entries;

    private ClassPath(List<Path> entries) {
        this.entries = entries;
    }

    /** An empty class path, which finds only the classes that come with the program. */
    static ClassPath none() {
        return new ClassPath(List.of());
    }

    /**
     * Parses a class path in the format of Java's own.
     *
     * @throws IllegalArgumentException if an entry does not exist, or is neither a folder nor a jar file
     */
    static ClassPath parse(String text) {
        List<Path> entries = new ArrayList<>();
        for (String word : text.split(File.pathSeparator)) {
            if (!word.isBlank()) {
                entries.add(entry(word));
            }
        }
        if (entries.isEmpty()) {
            throw new IllegalArgumentException("it names none");
        }
        return new ClassPath(entries);
    }

    private static Path entry(String word) {
        Path path;
        try {
            path = Path.of(word);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("'" + word + "' cannot be a path", e);
        }
        if (!Files.exists(path)) {
            throw new IllegalArgumentException("there is no '" + word + "'" + nearest(path));
        }
        if (!Files.isDirectory(path)) {
            try (JarFile jar = new JarFile(path.toFile())) {
                return path;
            } catch (IOException e) {
                throw new IllegalArgumentException("'" + word + "' is neither a folder nor a jar file", e);
            }
        }
        return path;
    }

    /** A suggestion to end a message with: the nearest name in the same folder, or nothing. */
    private static String nearest(Path missing) {
        Path name = missing.getFileName();
        Path folder = missing.toAbsolutePath().getParent();
        if (name == null || folder == null) {
            return "";
        }
        try (Stream<Path> files = Files.list(folder)) {
            List<String> known =
                    files.map(file -> file.getFileName().toString()).toList();
            return Suggestion.nearest(name.toString(), known)
                    .map(nearest -> "; did you mean " + missing.resolveSibling(nearest) + "?")
                    .orElse("");
        } catch (IOException e) {
            return "";
        }
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    /** A loader of these classes and of those that come with the program. It stays open as long as this JVM runs. */
    ClassLoader loader() {
        ClassLoader parent = ClassPath.class.getClassLoader();
        return entries.isEmpty()
                ? parent
                : new URLClassLoader(entries.stream().map(ClassPath::url).toArray(URL[]::new), parent);
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("'" + path + "' cannot be a URL", e);
        }
    }

    /** The names of its classes, for suggestions. An unreadable entry adds none. */
    List<String> classes() {
        List<String> names = new ArrayList<>();
        for (Path entry : entries) {
            try {
                names.addAll(Files.isDirectory(entry) ? inFolder(entry) : inJar(entry));
            } catch (IOException e) {
                // without suggestions from this entry
            }
        }
        return names;
    }

    private static List<String> inFolder(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.map(file -> folder.relativize(file).toString())
                    .filter(name -> name.endsWith(CLASS))
                    .map(name -> className(name.replace(File.separatorChar, '/')))
                    .toList();
        }
    }

    private static List<String> inJar(Path file) throws IOException {
        try (JarFile jar = new JarFile(file.toFile())) {
            return jar.stream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.endsWith(CLASS))
                    .map(ClassPath::className)
                    .toList();
        }
    }

    private static String className(String file) {
        return file.substring(0, file.length() - CLASS.length()).replace('/', '.');
    }
}
