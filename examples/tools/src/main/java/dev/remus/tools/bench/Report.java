package dev.remus.tools.bench;

import dev.remus.tools.bench.suite.Machine;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Everything that came out.
 *
 * @param machine what was measured on
 * @param settings how long was measured
 * @param jdks what came out on each Java
 */
record Report(Machine machine, JmhSettings settings, List<JdkOutcome> jdks) {
    private static final String LEGEND =
            "Median over all iterations, ± half the distance between the quartiles. The reference is a VarHandle on the same\n"
                    + "mapping; for contains, the same list by raw addresses, without checks; for allocate (and free), the same at the\n"
                    + "near end of the segment. B/op has what JMH itself allocates.\n";

    /** Whether everything could be run. */
    boolean isComplete() {
        return jdks.stream().allMatch(JdkOutcome::isComplete);
    }

    /** For people: lines, each ended by a line feed. */
    String toText() {
        String versions = jdks.stream().map(each -> each.jdk().version()).collect(Collectors.joining(" and "));
        StringBuilder text = new StringBuilder("machine: " + machine + "; Java " + versions + "; " + settings + "\n\n");
        jdks.forEach(each -> text.append(new OutcomeTable(each)).append('\n'));
        return text.append(LEGEND).toString();
    }
}
