// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.mutants;

import dev.remus.simulation.Finding;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.tools.scenarios.ScenarioCatalogue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * All mutants of some classes, and the search for each mutant. The classes are loaded once, as a copy for the scenarios
 * of this campaign. The static {@link Switch} selects the mutant, so only one campaign may run at a time.
 */
final class Campaign {
    private static final int EXPLORATION_SCHEDULES = 60;

    private final Function<String, Scenario> catalogue;
    private final LongFunction<Schedule> schedules;
    private final List<Mutant> mutants;
    private final List<String> names;

    private final Map<String, Explored> explored = new LinkedHashMap<>();

    /** What a scenario has reached, by the numbers of the mutants. */
    private static final class Explored {
        /** How many of the explored schedules have reached each mutant. */
        private final int[] sites;

        /** In how many of them each mutant would have done something else. */
        private final int[] differing;

        /** How often in all of them it would have done so. */
        private final long[] times;

        /** The same for all mutants together. */
        private long allTimes;

        /** How many mutants any of them has reached. */
        private int mutants;

        Explored(int size) {
            sites = new int[size];
            differing = new int[size];
            times = new long[size];
        }

        /** Mutants with larger numbers are of classes that were loaded since. */
        void add(Switch.Reached reached) {
            reached.sites().stream()
                    .filter(mutant -> mutant < sites.length)
                    .forEach(mutant -> mutants += sites[mutant]++ == 0 ? 1 : 0);
            int[] more = reached.differing();
            for (int mutant = 0; mutant < Math.min(more.length, times.length); mutant++) {
                differing[mutant] += more[mutant] == 0 ? 0 : 1;
                times[mutant] += more[mutant];
                allTimes += more[mutant];
            }
        }

        Shares.Reach reach(String scenario, int mutant) {
            double density = (double) times[mutant] / Math.max(1, allTimes);
            return new Shares.Reach(scenario, sites[mutant], differing[mutant], mutants, density);
        }
    }

    /**
     * A campaign over the {@link ClassesUnderTest}.
     *
     * @param scenarios the names of the scenarios to run
     * @param schedules the schedule of a seed
     */
    static Campaign ofEverything(List<String> scenarios, LongFunction<Schedule> schedules) {
        return new Campaign(ClassesUnderTest.names(), ClassesUnderTest::contain, scenarios, schedules);
    }

    /**
     * A campaign over the given classes.
     *
     * @param classes their names
     * @param isUnderTest whether a class is to be mutated
     * @param scenarios the names of the scenarios to run
     * @param schedules the schedule of a seed
     */
    @SuppressWarnings("unchecked") // the copy implements Function, which both class loaders share
    Campaign(
            List<String> classes,
            Predicate<String> isUnderTest,
            List<String> scenarios,
            LongFunction<Schedule> schedules) {
        ClassMutator mutator = new ClassMutator();
        MutantLoader loader = new MutantLoader(isUnderTest, mutator);
        try {
            loader.load(classes);
            this.catalogue = (Function<String, Scenario>) loader.loadClass(ScenarioCatalogue.class.getName())
                    .getConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the mutants cannot be loaded", e);
        }
        this.mutants = List.copyOf(mutator.mutants());
        this.names = List.copyOf(scenarios);
        this.schedules = schedules;
    }

    List<Mutant> mutants() {
        return mutants;
    }

    /**
     * Runs all scenarios without a mutant, to record which mutants each of them reaches.
     *
     * @return the failures: mistakes of the original code or of a scenario
     */
    List<Finding> explore() {
        List<Finding> failures = new ArrayList<>();
        Switch.chooseNone();
        for (String name : names) {
            Explored reached = new Explored(mutants.size() + 1);
            for (long seed = 0; seed < EXPLORATION_SCHEDULES; seed++) {
                Switch.record();
                run(name, seed).ifPresent(failures::add);
                reached.add(Switch.recorded());
            }
            explored.put(name, reached);
        }
        return failures;
    }

    /** The scenarios that reach a mutant. */
    Shares shares(Mutant mutant) {
        return Shares.of(names.stream()
                .map(name -> Objects.requireNonNull(explored.get(name), "explore() must run first")
                        .reach(name, mutant.number()))
                .filter(reach -> reach.sites() > 0)
                .toList());
    }

    /**
     * Searches for a failure of a mutant in schedules of consecutive seeds, spread over the scenarios that reach it. A
     * schedule in which the original code fails too does not count.
     */
    MutantResult search(Mutant mutant, long first, long count, int jobs) throws InterruptedException {
        Shares shares = shares(mutant);
        if (shares.isEmpty()) {
            return new MutantResult(mutant, shares, 0, Optional.empty(), first);
        }
        long done = 0;
        for (long from = first; ; ) {
            Workers workers = new Workers(shares, from, first + count - from);
            Switch.choose(mutant);
            try {
                workers.run(jobs);
            } finally {
                Switch.chooseNone();
            }
            done += workers.done();
            Optional<Finding> finding = workers.lowest();
            if (finding.isEmpty() || run(shares, finding.get().seed()).isEmpty()) {
                return new MutantResult(mutant, shares, done, finding, first);
            }
            from = finding.get().seed() + 1;
        }
    }

    private Optional<Finding> run(Shares shares, long seed) {
        return run(shares.scenario(seed), seed);
    }

    private Optional<Finding> run(String name, long seed) {
        Scenario scenario = catalogue.apply(name);
        Schedule schedule = schedules.apply(seed);
        Switch.begin();
        try {
            return Finding.in(scenario, schedule);
        } catch (StackOverflowError | OutOfMemoryError e) { // a mutant may cause it
            return Optional.of(new Finding(seed, e));
        }
    }

    /** Threads that run schedules in parallel; the result is the lowest failing seed, independent of their timing. */
    private final class Workers {
        private final Shares shares;
        private final long first;
        private final long count;
        private final AtomicLong claimed = new AtomicLong();
        private final AtomicLong done = new AtomicLong();
        private @Nullable Finding lowest;
        private @Nullable Throwable failure;

        Workers(Shares shares, long first, long count) {
            this.shares = shares;
            this.first = first;
            this.count = count;
        }

        void run(int jobs) throws InterruptedException {
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < jobs; i++) {
                Thread thread = new Thread(this::work, "remus-mutants-" + i);
                thread.setDaemon(true);
                thread.start();
                threads.add(thread);
            }
            for (Thread thread : threads) {
                thread.join();
            }
            if (failure != null) {
                throw new IllegalStateException("the simulator itself failed", failure);
            }
        }

        private void work() {
            try {
                for (long i = claimed.getAndIncrement();
                        i < count && isWanted(first + i);
                        i = claimed.getAndIncrement()) {
                    Campaign.this.run(shares, first + i).ifPresent(this::found);
                    done.incrementAndGet();
                }
            } catch (Throwable e) {
                synchronized (this) {
                    failure = e;
                }
            }
        }

        private synchronized boolean isWanted(long seed) {
            return failure == null && (lowest == null || seed < lowest.seed());
        }

        private synchronized void found(Finding finding) {
            if (lowest == null || finding.seed() < lowest.seed()) {
                lowest = finding;
            }
        }

        long done() {
            return done.get();
        }

        synchronized Optional<Finding> lowest() {
            return Optional.ofNullable(lowest);
        }
    }
}
