// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.source.SourceTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every source file and script names its licence, in the form of SPDX: others copy single files. */
class LicenceHeaderTest {
    private static final String LICENCE = "SPDX-License-Identifier: Apache-2.0";

    private static final Pattern SOURCE = Pattern.compile(".*\\.(java|kts?|c|h|sh|py|m?js|css|service)");

    /** What is built, downloaded or not part of the project. */
    private static final Set<String> NOT_OURS = Set.of("target", ".git", ".gradle", "node_modules", "results");

    /** Files that {@code ./remus new} makes for its users, and Maven's own. */
    private static final Set<String> OF_OTHERS = Set.of("newproject", "mvnw", "mvnw.cmd");

    @Test
    void everySourceFileAndScriptNamesItsLicence() throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path file : sources()) {
            String text = Files.readString(file, StandardCharsets.UTF_8);
            if (!text.isBlank() && text.lines().limit(2).noneMatch(line -> line.contains(LICENCE))) {
                found.add(file);
            }
        }
        assertThat(found).isEmpty();
    }

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        Files.walkFileTree(SourceTree.ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = folder.getFileName().toString();
                boolean isTemplate =
                        OF_OTHERS.contains(name) && folder.toString().contains("resources");
                return NOT_OURS.contains(name) || isTemplate ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                String name = file.getFileName().toString();
                if (!OF_OTHERS.contains(name) && attributes.isRegularFile() && isSource(file, name)) {
                    sources.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        assertThat(sources).hasSizeGreaterThan(1_000);
        return sources;
    }

    private static boolean isSource(Path file, String name) throws IOException {
        if (SOURCE.matcher(name).matches()) {
            return true;
        }
        if (name.contains(".") || !Files.isExecutable(file)) {
            return false;
        }
        try (var lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
            return lines.findFirst().orElse("").startsWith("#!");
        }
    }
}
