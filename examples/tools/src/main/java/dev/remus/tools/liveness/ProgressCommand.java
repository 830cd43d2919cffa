// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.liveness;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.fabric.sim.Fault;
import dev.remus.tools.liveness.ProgressSubject.Call;
import dev.remus.tools.liveness.ProgressSubject.Next;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The {@code check --progress} command: measures the progress of undisturbed threads and compares it with the
 * structures' promises.
 */
public final class ProgressCommand {
    private static final List<Disturbance> DISTURBANCES = List.of(
            new Disturbance(Fault.STOPPED_THREADS, 0),
            new Disturbance(Fault.STOPPED_THREADS, 1),
            new Disturbance(Fault.STOPPED_THREADS, Experiment.THREADS - 1),
            new Disturbance(Fault.PAUSED_THREADS, 1),
            new Disturbance(Fault.PAUSED_THREADS, Experiment.THREADS - 1));

    private final PrintStream out;
    private final List<String> wanted;
    private final long first;
    private final long schedules;

    /**
     * @param out receives the table, in Markdown
     * @param wanted names of structures; empty means all
     * @param first the seed of the first schedule
     * @param schedules the number of schedules for each structure and disturbance
     */
    public ProgressCommand(PrintStream out, List<String> wanted, long first, long schedules) {
        this.out = out;
        this.wanted = List.copyOf(wanted);
        this.first = first;
        this.schedules = schedules;
    }

    /** The names of all structures. */
    public static List<String> structures() {
        return ProgressSubjects.ALL.stream().map(ProgressSubject::name).toList();
    }

    /**
     * Prints the table.
     *
     * @return an {@link ExitStatus}: FAILED if a promise is broken
     */
    public int run() throws InterruptedException {
        out.print("| method | promise |");
        DISTURBANCES.forEach(d -> out.print(" " + d.describe(Experiment.THREADS) + " |"));
        out.println("\n|---|---|" + "---|".repeat(DISTURBANCES.size()));
        boolean isKept = true;
        for (ProgressSubject subject : ProgressSubjects.ALL) {
            if (wanted.isEmpty() || wanted.contains(subject.name())) {
                isKept &= report(subject);
            }
        }
        out.println();
        out.println("Calls by undisturbed threads: the number that end, and their own round trips, on"
                + " average and at most. " + schedules + " schedules of each, seeds " + first + " to "
                + (first + schedules - 1) + ".");
        return isKept ? ExitStatus.OK : ExitStatus.FAILED;
    }

    private boolean report(ProgressSubject subject) throws InterruptedException {
        Map<String, Promise> promises = promises(subject);
        List<Map<String, Steps>> columns = new ArrayList<>();
        for (Disturbance disturbance : DISTURBANCES) {
            columns.add(measure(subject, disturbance));
        }
        boolean isKept = true;
        for (Map.Entry<String, Promise> method : promises.entrySet()) {
            out.print("| `" + subject.name() + "` " + method.getKey() + " | " + method.getValue() + " |");
            boolean isBroken = false;
            for (Map<String, Steps> column : columns) {
                Steps steps = column.getOrDefault(method.getKey(), new Steps());
                out.print(" " + steps + " |");
                isBroken |= method.getValue().isNonblocking() && steps.hasUnfinished();
            }
            out.println(isBroken ? " **promise not kept** |" : "");
            isKept &= !isBroken;
        }
        return isKept;
    }

    private Map<String, Steps> measure(ProgressSubject subject, Disturbance disturbance) throws InterruptedException {
        try {
            return new Experiment(subject, disturbance).run(first, schedules);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(subject.name() + " with " + disturbance.describe(Experiment.THREADS), e);
        }
    }

    private static Map<String, Promise> promises(ProgressSubject subject) {
        Map<String, Promise> promises = new LinkedHashMap<>();
        for (Call first : new Methods(subject).calls()) {
            promises.put(first.method(), first.promise());
            for (Next next = first.next(); next != null; next = next.call().next()) {
                promises.put(next.call().method(), next.call().promise());
            }
        }
        return promises;
    }
}
