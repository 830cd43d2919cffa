// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.detection;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.cli.progress.ProgressView;
import dev.remus.cli.progress.ProgressViews;
import dev.remus.simulation.ScheduleMix;
import java.io.PrintStream;
import java.util.List;

/** The {@code check --detection} command: how many schedules each search needs to find known mistakes. */
public final class DetectionCommand {
    private final PrintStream out;
    private final PrintStream err;
    private final List<String> wanted;
    private final long first;
    private final int starts;
    private final long schedules;
    private final int jobs;

    /**
     * @param out receives the table
     * @param err receives progress
     * @param wanted names of searches; empty means all
     * @param first the first seed of the first start
     * @param starts the number of starts of each search
     * @param schedules the largest number of schedules of a start
     * @param jobs the number of schedules to run in parallel
     */
    public DetectionCommand(
            PrintStream out, PrintStream err, List<String> wanted, long first, int starts, long schedules, int jobs) {
        this.out = out;
        this.err = err;
        this.wanted = List.copyOf(wanted);
        this.first = first;
        this.starts = starts;
        this.schedules = schedules;
        this.jobs = jobs;
    }

    /** The names of all searches. */
    public static List<String> searches() {
        return SearchMethod.ALL.stream().map(SearchMethod::name).toList();
    }

    /**
     * Prints the table.
     *
     * @return an {@link ExitStatus}: FAILED if the default misses a mistake from some start
     */
    public int run() throws InterruptedException {
        List<SearchMethod> methods = SearchMethod.ALL.stream()
                .filter(method -> wanted.isEmpty() || wanted.contains(method.name()))
                .toList();
        out.print("| search |");
        KnownMistake.ALL.forEach(mistake -> out.print(" " + mistake.name() + " |"));
        out.println("\n|---|" + "---|".repeat(KnownMistake.ALL.size()));
        boolean defaultFindsAll = true;
        int done = 0;
        try (ProgressView view = ProgressViews.forUser(err)) {
            for (SearchMethod method : methods) {
                StringBuilder line = new StringBuilder("| `" + method.name() + "` |");
                for (KnownMistake mistake : KnownMistake.ALL) {
                    view.show("searches", done++, (long) methods.size() * KnownMistake.ALL.size());
                    DetectionRate rate =
                            DetectionRate.measure(mistake, method.schedules(), first, starts, schedules, jobs);
                    line.append(' ').append(rate).append(" |");
                    defaultFindsAll &= !method.isDefault() || rate.isComplete();
                }
                view.interrupt();
                out.println(line);
                out.flush();
            }
        }
        out.println();
        out.println("Starts that find the mistake, and the schedules that they need: median, 95th percentile. At most "
                + schedules + " schedules a start, first seeds " + first + " and each billionth after it, Java "
                + Runtime.version().feature() + ".");
        out.println("mix: " + ScheduleMix.DELAYS_AND_BREAKS.shares());
        return defaultFindsAll ? ExitStatus.OK : ExitStatus.FAILED;
    }
}
