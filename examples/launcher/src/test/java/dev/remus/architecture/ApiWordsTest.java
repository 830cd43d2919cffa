// SPDX-License-Identifier: Apache-2.0
package dev.remus.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.source.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Messages of the Java API name a setting as the Java API does. {@link dev.remus.config.Setting#names} adds the option
 * for readers of a program's output.
 */
class ApiWordsTest {
    private static final List<String> MODULES = List.of("framework/core", "framework/testing", "structures/core");

    /** Comments are matched too, so that a quotation mark in one begins no literal. */
    private static final Pattern PART = Pattern.compile(
            "(?s)/\\*.*?\\*/|//[^\n]*|'(?:[^'\\\\]|\\\\.)+'|\"\"\".*?\"\"\"|\"(?:[^\"\\\\\n]|\\\\.)*\"");

    /** Before an equals sign, it is a flag of the JVM, or an example of the settings of {@code @LocalCluster}. */
    private static final Pattern OPTION = Pattern.compile("--[a-z][a-z-]*+(?!=)");

    private static final Pattern USE_OF_NAME = Pattern.compile("\\.option\\(\\)|::option\\b");

    private static List<String> options(String code) {
        return PART.matcher(code)
                .results()
                .filter(part -> part.group().startsWith("\""))
                .flatMap(literal -> OPTION.matcher(literal.group()).results())
                .map(option -> option.group())
                .toList();
    }

    private static List<Path> files(String module) throws IOException {
        try (Stream<Path> files = Files.walk(SourceTree.ROOT.resolve(module).resolve("src/main/java/dev/remus"))) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    @Test
    void noLiteralOfTheApiNamesAnOptionExceptInTheTableOfSettings() throws IOException {
        List<String> found = new ArrayList<>();
        for (String module : MODULES) {
            for (Path file : files(module)) {
                List<String> options = options(Files.readString(file));
                if (file.endsWith("ClusterSettings.java")) {
                    assertThat(options).as("the table").isNotEmpty();
                } else if (!options.isEmpty()) {
                    found.add(file + ": " + options);
                }
            }
        }
        assertThat(found).as("use Setting.names()").isEmpty();
    }

    /** {@code dev.remus.config} makes messages of both kinds; local clusters take their settings as options. */
    @Test
    void onlyTheConfigurationAndLocalClustersReadTheNameOfAnOption() throws IOException {
        List<String> found = new ArrayList<>();
        for (String module : MODULES) {
            for (Path file : files(module)) {
                if (USE_OF_NAME.matcher(Files.readString(file)).find()) {
                    found.add(file.getParent().getFileName() + "/" + file.getFileName());
                }
            }
        }
        assertThat(found).containsExactlyInAnyOrder("config/InvalidConfigException.java", "local/LocalConfig.java");
    }

    @Test
    void anOptionIsFoundInALiteralAndNotInACommentOrAsAFlagOfTheJvm() {
        assertThat(options("throw new X(\"raise --cn-threads, or \" + y);")).containsExactly("--cn-threads");
        assertThat(options("s = \"\"\"\n    --seg-size\n    \"\"\";")).containsExactly("--seg-size");
        assertThat(options("/** The \"lane\" of {@code --qp-lanes}. */ // --hosts\nchar c = '\"'; i--;"))
                .isEmpty();
        assertThat(options("f = \"--add-opens=java.base/java.lang=ALL-UNNAMED\";"))
                .isEmpty();
    }
}
