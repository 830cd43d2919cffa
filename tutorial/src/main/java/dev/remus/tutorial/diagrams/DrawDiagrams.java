// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.diagrams;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Redraws all diagrams in a folder. */
public final class DrawDiagrams {
    private DrawDiagrams() {}

    /** Takes the folder; without it, redraws those of the project in the working directory. */
    public static void main(String... args) throws IOException {
        for (Path text : texts(Path.of(args.length > 0 ? args[0] : "tutorial/diagrams"))) {
            Files.writeString(
                    picture(text), Diagram.parse(Files.readString(text)).toSvg());
        }
    }

    /** The texts in a folder. */
    public static List<Path> texts(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".txt"))
                    .sorted()
                    .toList();
        }
    }

    /** The file of the picture that is drawn from a text. */
    public static Path picture(Path text) {
        return text.resolveSibling(text.getFileName().toString().replace(".txt", ".svg"));
    }
}
