package dev.remus.readme;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the README says about importing the framework is true. */
class ReadmeTest {
    private static final Path README = Path.of("..", "README.md");
    private static final Pattern POPPED = Pattern.compile("thread \\d popped (\\d+), reads .*");
    private static final int TIMEOUT_SECONDS = 60;

    @TempDir
    Path outside;

    @Test
    @Tag("processes")
    @Timeout(2 * TIMEOUT_SECONDS)
    void theStructureInTheReadmeCompilesAndRunsOutsideTheTreeAndTheFlagsNamedThereKeepTheJvmQuiet() throws Exception {
        List<String> output = runStack(quietFlags(Files.readString(README)));
        assertThat(output).allMatch(POPPED.asMatchPredicate());
    }

    @Test
    @Tag("processes")
    @Timeout(2 * TIMEOUT_SECONDS)
    void withoutFlagsNothingIsAddedToTheOutputButTheWarningsOfNewJvms() throws Exception {
        List<String> output = new ArrayList<>(runStack(List.of()));
        if (Runtime.version().feature() >= 24) {
            output.removeIf(line -> line.matches("WARNING: .*(Unsafe|UnsafeMemory)\\b.*"));
        }
        assertThat(output).allMatch(POPPED.asMatchPredicate());
    }

    /** What the stack of the README prints, all of whose elements were popped. */
    private List<String> runStack(List<String> flags) throws Exception {
        String readme = Files.readString(README);
        Path source = outside.resolve("RemoteStack.java");
        Files.writeString(source, block(readme, "java", 0));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        String classPath = System.getProperty("java.class.path");
        assertThat(compiler.run(null, null, null, "-cp", classPath, "-d", outside.toString(), source.toString()))
                .as("exit status of the compiler")
                .isZero();

        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of("-cp", classPath + System.getProperty("path.separator") + outside, "RemoteStack"));
        List<String> output = run(command).lines().toList();
        assertThat(output.stream().mapToLong(ReadmeTest::popped).sum())
                .as(String.join("\n", output))
                .isEqualTo(4000);
        return output;
    }

    /** The block of flags that Java 24 and later want. */
    private static List<String> quietFlags(String readme) {
        List<String> flags = block(readme.substring(readme.indexOf("```\n--enable")), "", 0)
                .lines()
                .toList();
        assertThat(flags).isNotEmpty().allMatch(flag -> flag.startsWith("--"));
        return Runtime.version().feature() >= 24 ? flags : List.of();
    }

    private static String block(String text, String language, int number) {
        Matcher matcher =
                Pattern.compile("(?ms)^```" + language + "\n(.*?)^```$").matcher(text);
        for (int i = 0; i <= number; i++) {
            assertThat(matcher.find()).as("block %d of '%s'", number, language).isTrue();
        }
        return matcher.group(1);
    }

    private static long popped(String line) {
        Matcher matcher = POPPED.matcher(line);
        return matcher.matches() ? Long.parseLong(matcher.group(1)) : 0;
    }

    private String run(List<String> command) throws IOException, InterruptedException {
        Path output = outside.resolve("output.txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        String text = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(text).isZero();
        return text;
    }
}
