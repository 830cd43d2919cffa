// SPDX-License-Identifier: Apache-2.0
package dev.remus.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.options.OptionSet;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CommandLineTest {
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(new NoSuchFileException("a.csv"), "there is no a.csv"),
                Arguments.of(new AccessDeniedException("a.csv"), "no permission for a.csv"),
                Arguments.of(new IOException("No space left on device"), "No space left on device"),
                Arguments.of(new IOException(), "java.io.IOException"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void aFailureIsReportedInOneLine(IOException failure, String reason) {
        PrintStream to = new PrintStream(err, true, StandardCharsets.UTF_8);
        int status = CommandLine.run(
                "x",
                new OptionSet("x", "Does nothing."),
                arguments -> {
                    throw failure;
                },
                to,
                to);
        assertThat(status).isEqualTo(ExitStatus.FAILED);
        assertThat(err.toString(StandardCharsets.UTF_8).strip()).isEqualTo("remus x: " + reason);
    }
}
