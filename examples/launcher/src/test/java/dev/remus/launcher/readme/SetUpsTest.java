// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.readme;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page about set-ups shows the lines of the projects that {@code ./remus test --set-ups} runs. */
class SetUpsTest {
    private static final Path FRAMEWORK = Path.of("../../framework");

    private static String page() throws IOException {
        return Files.readString(FRAMEWORK.resolve("SET-UPS.md"));
    }

    /** Lines without their indentation and without comments, so that a block is found at any depth. */
    private static String plain(String text) {
        return text.lines().map(String::strip).collect(Collectors.joining("\n"));
    }

    @Test
    void everyBlockOfThePageIsInAProject() throws IOException {
        List<String> files = new ArrayList<>();
        try (Stream<Path> paths = Files.walk(FRAMEWORK.resolve("set-ups"))) {
            for (Path path : paths.filter(Files::isRegularFile).toList()) {
                files.add(plain(Files.readString(path)));
            }
        }
        List<String> blocks = Pattern.compile("(?ms)^```(?:xml|java|kotlin)\n(.*?)^```$")
                .matcher(page())
                .results()
                .map(block -> plain(block.group(1)))
                .toList();
        assertThat(blocks)
                .hasSize(7)
                .allSatisfy(block -> assertThat(files).as(block).anyMatch(file -> file.contains(block)));
    }

    @Test
    void theTableHasEveryProjectAndNoneFails() throws IOException {
        Set<String> rows = Pattern.compile("(?m)^\\| \\[`([a-z-]+)`\\]\\(set-ups/\\1/[a-z.]+\\) \\| .*\\|$")
                .matcher(page())
                .results()
                .map(row -> row.group(1))
                .collect(Collectors.toSet());
        try (Stream<Path> folders = Files.list(FRAMEWORK.resolve("set-ups"))) {
            assertThat(folders.map(folder -> folder.getFileName().toString()).filter(name -> !name.equals("common")))
                    .containsExactlyInAnyOrderElementsOf(rows);
        }
        assertThat(page()).doesNotContain("FAILED");
    }

    @Test
    void theProjectsUseThePluginsAndTheVersionOfThisBuild() throws IOException {
        String parent = Files.readString(Path.of("../../pom.xml"));
        Pattern own = Pattern.compile("<artifactId>((?:maven-(?!shade)[a-z]+-plugin|junit-jupiter|remus-[a-z]+))"
                + "</artifactId>\\s*<version>([^<]+)</version>");
        try (Stream<Path> paths = Files.walk(FRAMEWORK.resolve("set-ups"))) {
            for (Path pom : paths.filter(path -> path.endsWith("pom.xml")).toList()) {
                List<MatchResult> found =
                        own.matcher(Files.readString(pom)).results().toList();
                assertThat(found)
                        .as(pom.toString())
                        .hasSizeGreaterThan(4)
                        .allSatisfy(each -> assertThat(parent)
                                .containsPattern(
                                        each.group(1).startsWith("maven")
                                                ? "<artifactId>" + each.group(1) + "</artifactId>\\s*<version>"
                                                        + Pattern.quote(each.group(2))
                                                : ">" + Pattern.quote(each.group(2)) + "<"));
            }
        }
    }
}
