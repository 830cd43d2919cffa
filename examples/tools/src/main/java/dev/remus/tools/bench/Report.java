// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import dev.remus.tools.bench.suite.OtherLoad;
import dev.remus.tools.results.Machine;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The complete results of {@code bench primitives}.
 *
 * @param machine the machine that was measured
 * @param settings the effort of the measurement
 * @param jdks the results on each JDK
 * @param otherLoad the share of the processors that others used meanwhile
 */
record Report(Machine machine, JmhSettings settings, List<JdkOutcome> jdks, double otherLoad) {
    private static final String LEGEND =
            "Median over all iterations, ± half the interquartile range. The reference is a VarHandle on the same\n"
                    + "mapping; for contains, the same list by raw addresses, without checks; with 3 fabrics, the same where\n"
                    + "only one is loaded; for allocate (and free), the same at the near end of the segment. Dependent reads\n"
                    + "follow a pointer, so their latency counts. B/op includes allocation by JMH itself.\n";

    /** Whether every benchmark ran. */
    boolean isComplete() {
        return jdks.stream().allMatch(JdkOutcome::isComplete);
    }

    /** The report as lines of text, each ended by a line feed. */
    String toText() {
        String versions = jdks.stream().map(each -> each.jdk().version()).collect(Collectors.joining(" and "));
        StringBuilder text = new StringBuilder("machine: " + machine + "; Java " + versions + "; " + settings + "; "
                + OtherLoad.describe(otherLoad) + "\n\n");
        jdks.forEach(each -> text.append(new OutcomeTable(each, otherLoad)).append('\n'));
        return text.append(LEGEND).toString();
    }
}
