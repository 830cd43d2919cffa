// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The places of the tutorial's files. */
final class Tree {
    /** The folder of the project. */
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    /** The folder of the tutorial. */
    static final Path TUTORIAL = ROOT.resolve("tutorial");

    /** The folder of its programs. */
    static final Path PROGRAMS = TUTORIAL.resolve("src/main/java/dev/remus/tutorial");

    /** Whether pages and diagrams are to be brought up to date, instead of compared. */
    static final boolean UPDATE = Boolean.getBoolean("tutorial.update");

    private Tree() {}

    /** The numbered pages, in order. */
    static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.list(TUTORIAL)) {
            return files.filter(file -> file.getFileName().toString().matches("\\d+-.*\\.md"))
                    .sorted(Comparator.comparingInt(Tree::number))
                    .toList();
        }
    }

    private static int number(Path page) {
        String name = page.getFileName().toString();
        return Integer.parseInt(name.substring(0, name.indexOf('-')));
    }
}
