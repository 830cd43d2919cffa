// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.fabric.FabricException;
import dev.remus.options.OptionSet;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The ends of a suite: its statuses and messages. */
class SuiteRunTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(SuiteRun.Measuring measuring, String... args) {
        return SuiteRun.run(
                new OptionSet("bench x", "Measures x."),
                measuring,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                args);
    }

    private String complaint() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void itsStatusIsThatOfTheMeasurement() {
        assertThat(run(arguments -> ExitStatus.OK)).isEqualTo(ExitStatus.OK);
        assertThat(run(arguments -> ExitStatus.FAILED)).isEqualTo(ExitStatus.FAILED);
        assertThat(complaint()).isEmpty();
    }

    @Test
    void helpAndUsageErrorsArePrintedWithoutMeasuring() {
        SuiteRun.Measuring never = arguments -> {
            throw new AssertionError("measured");
        };
        assertThat(run(never, "--help")).isEqualTo(ExitStatus.OK);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("Usage: bench x");
        assertThat(run(never, "--no-such-option")).isEqualTo(2);
        assertThat(complaint()).contains("--no-such-option");
    }

    @Test
    void aFailedStartIsReportedInOneLine() {
        assertThat(run(arguments -> {
                    throw new FabricException("no device");
                }))
                .isEqualTo(ExitStatus.NOT_STARTED);
        assertThat(complaint().lines()).containsExactly("remus: no device");
    }

    @Test
    void aLaterErrorIsAFailureAndABugIsNotHidden() {
        assertThat(run(arguments -> {
                    throw new IOException("disk full");
                }))
                .isEqualTo(ExitStatus.FAILED);
        assertThat(complaint()).contains("could not be finished").contains("disk full");
        assertThatThrownBy(() -> run(arguments -> {
                    throw new IllegalStateException("bug");
                }))
                .hasMessage("bug");
    }
}
