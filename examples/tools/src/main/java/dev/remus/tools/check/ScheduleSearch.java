// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.check;

import dev.remus.fabric.sim.ExhaustiveSearch;
import dev.remus.simulation.Finding;
import dev.remus.simulation.Schedule;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Runs the schedules of consecutive seeds in parallel until one fails. The result does not depend on the parallelism:
 * seeds are assigned in order, and all below a failing one run to their end. An exhaustive search runs one schedule at
 * a time until none are left, and its schedules have numbers from 0 instead of seeds.
 */
final class ScheduleSearch {
    private static final long SHOW_MILLIS = 200;

    private final SearchPlan plan;
    private final long first;
    private final long count;
    private final Predicate<Finding> counts;
    private final BooleanSupplier isStopped;
    private final AtomicLong claimed = new AtomicLong();
    private final AtomicLong done = new AtomicLong();
    private final List<String> leftOut = new ArrayList<>();
    private @Nullable Finding lowest;
    private @Nullable Throwable failure;

    /** Receives the number of finished schedules from time to time. */
    interface Watcher {
        void show(long done);
    }

    ScheduleSearch(SearchPlan plan, long first, long count) {
        this(plan, first, count, finding -> true, () -> false);
    }

    /**
     * @param counts whether the search may end with a finding; it passes over any other
     * @param isStopped once this is true, the search ends after the schedules that are running. They and those before
     *     them are then the {@link #done} lowest seeds
     */
    ScheduleSearch(SearchPlan plan, long first, long count, Predicate<Finding> counts, BooleanSupplier isStopped) {
        this.plan = plan;
        this.first = first;
        this.count = count;
        this.counts = counts;
        this.isStopped = isStopped;
    }

    /** The number of finished schedules. */
    long done() {
        return done.get();
    }

    /** What an exhaustive search has not tried; to be called after the run. */
    List<String> leftOut() {
        return List.copyOf(leftOut);
    }

    /** Runs the schedules, and returns the failure with the lowest seed, if there is one. */
    Optional<Finding> run(int jobs, Watcher watcher) throws InterruptedException {
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < (plan.conditions().isExhaustive() ? 1 : Math.min(jobs, count)); i++) {
            Thread worker = new Thread(this::runWorker, "remus-check-" + i);
            worker.setDaemon(true);
            worker.start();
            workers.add(worker);
        }
        for (Thread worker : workers) {
            while (worker.isAlive()) {
                worker.join(SHOW_MILLIS);
                watcher.show(done.get());
            }
        }
        if (failure != null) {
            throw new IllegalStateException("the simulator itself failed", failure);
        }
        return Optional.ofNullable(lowest);
    }

    private void runWorker() {
        try {
            if (plan.conditions().isExhaustive()) {
                searchExhaustively(plan.conditions().search());
            } else {
                searchSeeds();
            }
        } catch (Throwable e) { // not thrown by a scenario
            failed(e);
        }
    }

    private void searchSeeds() {
        while (!isStopped.getAsBoolean()) { // asked before the claim: each seed that is claimed runs
            long i = claimed.getAndIncrement();
            if (i >= count || !isWanted(first + i)) {
                return;
            }
            plan.run(plan.schedule(first + i)).ifPresent(this::found);
            done.incrementAndGet();
        }
    }

    private void searchExhaustively(ExhaustiveSearch search) {
        Iterator<Schedule> schedules = plan.conditions().schedules(search);
        for (long number = 0; number < count && isWanted(number) && schedules.hasNext(); number++) {
            if (isStopped.getAsBoolean()) {
                leftOut.add("it was stopped");
                break;
            }
            Optional<Finding> finding = plan.run(schedules.next());
            if (finding.isPresent()) {
                found(new Finding(number, finding.get().cause()));
            }
            done.incrementAndGet();
        }
        leftOut.addAll(search.leftOut());
        if (!plan.conditions().faults().isEmpty()) {
            leftOut.add("faults strike only when one seed says so");
        }
    }

    private synchronized boolean isWanted(long seed) {
        return failure == null && (lowest == null || seed < lowest.seed());
    }

    private synchronized void found(Finding finding) {
        if (counts.test(finding) && (lowest == null || finding.seed() < lowest.seed())) {
            lowest = finding;
        }
    }

    private synchronized void failed(Throwable e) {
        failure = e;
    }
}
