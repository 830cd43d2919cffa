// SPDX-License-Identifier: Apache-2.0
package dev.remus.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class MachineLineTest {
    @Test
    void writtenLinesCanBeRead() {
        assertThat(MachineLine.readProgress(MachineLine.progress("run", 3, 8)))
                .contains(new MachineLine.Progress("run", 3, 8, OptionalLong.empty()));
        assertThat(MachineLine.readProgress(MachineLine.progressInTime("run", 3, 250, 1000)))
                .contains(new MachineLine.Progress("run", 3, 1000, OptionalLong.of(250)));
        assertThat(MachineLine.readConclusion(MachineLine.conclusion(" books: 1 + 2")))
                .contains(" books: 1 + 2");
        assertThat(MachineLine.readConclusion(MachineLine.conclusion(""))).contains("");
    }

    @Test
    void otherLinesAreForTheUser() {
        assertThat(MachineLine.readProgress("hello")).isEmpty();
        assertThat(MachineLine.readConclusion("hello")).isEmpty();
        assertThat(MachineLine.readConclusion(MachineLine.progress("run", 3, 8)))
                .isEmpty();
    }
}
