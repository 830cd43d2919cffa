// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.player;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The files of source that are at hand, by their names. A name that several files have stands for none of them, unless
 * one was named explicitly.
 */
final class SourceFiles {
    /** Files to look into first, separated as in a class path: the programs that {@code ./remus run} compiles. */
    private static final String PROPERTY = "remus.sources";

    /** How deep modules lie below the working directory. */
    private static final int MODULE_DEPTH = 2;

    private static final List<Path> FOLDERS = List.of(Path.of("src", "main", "java"), Path.of("src", "test", "java"));

    private final Map<String, List<Path>> files;
    private final Map<Path, List<String>> lines = new HashMap<>();

    private SourceFiles(Map<String, List<Path>> files) {
        this.files = files;
    }

    /** The files that the property {@code remus.sources} names, and those of the modules in the working directory. */
    static SourceFiles atHand() {
        return in(Path.of(""), System.getProperty(PROPERTY, ""));
    }

    /**
     * The files of the modules in a folder.
     *
     * @param explicit files that come first, separated as in a class path
     */
    static SourceFiles in(Path folder, String explicit) {
        Map<String, List<Path>> files = new HashMap<>();
        for (Path module : modules(folder)) {
            for (Path sources : FOLDERS) {
                listed(module.resolve(sources))
                        .forEach(
                                file -> files.computeIfAbsent(file.getFileName().toString(), name -> new ArrayList<>())
                                        .add(file));
            }
        }
        for (String file : explicit.split(File.pathSeparator)) {
            if (!file.isEmpty()) {
                Path path = Path.of(file);
                files.put(path.getFileName().toString(), List.of(path));
            }
        }
        return new SourceFiles(files);
    }

    private static List<Path> modules(Path folder) {
        List<Path> found = new ArrayList<>(List.of(folder));
        List<Path> level = List.of(folder);
        for (int depth = 0; depth < MODULE_DEPTH; depth++) {
            level = level.stream().flatMap(parent -> folders(parent).stream()).toList();
            found.addAll(level);
        }
        return found;
    }

    private static List<Path> folders(Path parent) {
        try (Stream<Path> children = Files.list(parent.toAbsolutePath())) {
            return children.filter(Files::isDirectory)
                    .filter(child -> !child.getFileName().toString().startsWith("."))
                    .toList();
        } catch (IOException e) {
            return List.of(); // it is not readable
        }
    }

    private static List<Path> listed(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> file.toString().endsWith(".java")).toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of(); // there is none, or a part of it is not readable
        }
    }

    /** The text of a line such as {@code LazyListSet.java:123}; empty if its file is not at hand. */
    String text(String source) {
        int colon = source.lastIndexOf(':');
        List<Path> found = files.getOrDefault(source.substring(0, Math.max(0, colon)), List.of());
        if (found.size() != 1) {
            return "";
        }
        List<String> all = lines.computeIfAbsent(found.get(0), SourceFiles::read);
        int number = Integer.parseInt(source.substring(colon + 1));
        return number >= 1 && number <= all.size() ? all.get(number - 1).strip() : "";
    }

    private static List<String> read(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of(); // it is not readable, or not in UTF-8
        }
    }
}
