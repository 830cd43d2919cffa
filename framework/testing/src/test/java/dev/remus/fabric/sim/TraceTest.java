// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TraceTest {
    @Test
    void aLongTraceKeepsItsLastLinesAndCountsTheOthers() {
        Trace trace = new Trace();
        trace.note("not kept");
        trace.keepText(null);
        for (int i = 0; i < Trace.MAX_LINES; i++) {
            trace.note("line " + i);
        }
        assertThat(trace.text()).startsWith("    line 0\n").hasLineCount(Trace.MAX_LINES);
        trace.note("two");
        trace.note("more");
        assertThat(trace.text())
                .startsWith("... 2 earlier lines were dropped\n    line 2\n")
                .endsWith("    two\n    more\n");
    }
}
