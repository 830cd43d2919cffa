package dev.remus.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PerftestTest {
    @Test
    void onOneProcessorTheWriteThatTwoProcessesPollForIsNotMeasured() {
        assertThat(Perftest.write("localhost", 1))
                .isEqualTo(
                        "perftest WRITE, half a round trip   not measured: both of its processes poll, so it needs two"
                                + " processors\n");
    }
}
