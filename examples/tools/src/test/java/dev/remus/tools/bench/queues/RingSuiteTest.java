// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.cli.cluster.ExitStatus;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class RingSuiteTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... args) {
        return RingSuite.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                args);
    }

    @Test
    void theQueuesAreMeasuredBesideTheAlgorithmInCIfThereIsACompiler(@TempDir Path folder) {
        assertThat(run("--rounds=1", "--items=20000", "--out=" + folder))
                .as(err.toString(StandardCharsets.UTF_8))
                .isEqualTo(ExitStatus.OK);
        String text = out.toString(StandardCharsets.UTF_8);
        assertThat(text)
                .contains("one segment", "LongBufferedQueue ", "BufferedQueue, in place", "other processes used");
        assertThat(text).contains(RingInC.canBeCompiled() ? "the same in C11" : "there is no C compiler");
    }

    @Test
    void aValueOutOfRangeIsRejected() {
        assertThat(run("--rounds=0")).isNotEqualTo(ExitStatus.OK);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("--rounds");
    }
}
