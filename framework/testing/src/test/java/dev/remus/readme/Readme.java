// SPDX-License-Identifier: Apache-2.0
package dev.remus.readme;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parts of a page about writing a structure of one's own. */
public final class Readme {
    private static final Pattern POPPED = Pattern.compile("thread \\d popped (\\d+), reads .*");

    private final String text;

    private Readme(String text) {
        this.text = text;
    }

    /** The page about the simulator. */
    public static Readme simulatorPage() throws IOException {
        return new Readme(Files.readString(Path.of("../..", "framework", "SIMULATOR.md")));
    }

    /** The page about the framework. */
    public static Readme read() throws IOException {
        return new Readme(Files.readString(Path.of("../..", "framework", "README.md")));
    }

    /** The Maven dependency on the framework, or on the subject of the page. */
    public String dependency() {
        return block(text, "xml");
    }

    /** The class {@code RemoteStack}, or the test of a structure. */
    public String structure() {
        return block(text, "java");
    }

    /** The test of {@code RemoteStack} on a cluster of processes, with the imports that it needs. */
    public String clusterTest() {
        String test = block(text.substring(text.indexOf("## Test it on a real cluster")), "java");
        return """
                import static org.junit.jupiter.api.Assertions.assertNotEquals;
                import dev.remus.junit.LocalCluster;
                import dev.remus.node.ComputeThread;
                """ + test;
    }

    /** The flags that keep this release of the JVM quiet. */
    public List<String> quietFlags() {
        List<String> flags =
                block(text.substring(text.indexOf("```\n--enable")), "").lines().toList();
        assertThat(flags).isNotEmpty().allMatch(flag -> flag.startsWith("--"));
        return Runtime.version().feature() >= 24 ? flags : List.of();
    }

    /** The first block of that language. */
    private static String block(String text, String language) {
        Matcher matcher =
                Pattern.compile("(?ms)^```" + language + "\n(.*?)^```$").matcher(text);
        assertThat(matcher.find()).as("a block of '%s'", language).isTrue();
        return matcher.group(1);
    }

    /** Checks that these lines are the output of the structure, and nothing else. */
    public static void assertIsOutputOfStructure(List<String> lines) {
        assertThat(lines).allMatch(POPPED.asMatchPredicate());
        assertThat(lines.stream().mapToLong(Readme::popped).sum())
                .as(String.join("\n", lines))
                .isEqualTo(4000);
    }

    private static long popped(String line) {
        Matcher matcher = POPPED.matcher(line);
        return matcher.matches() ? Long.parseLong(matcher.group(1)) : 0;
    }
}
