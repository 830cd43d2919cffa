package dev.remus.tools.mutants;

import dev.remus.simulation.Finding;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.tools.scenarios.ScenarioCatalogue;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
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

    /** The mutants that each scenario reaches. */
    private final Map<String, BitSet> reached = new LinkedHashMap<>();

    /**
     * A campaign over the {@link ClassesUnderTest}.
     *
     * @param schedules the schedule of a seed
     */
    static Campaign ofEverything(LongFunction<Schedule> schedules) {
        return new Campaign(ClassesUnderTest.names(), ClassesUnderTest::contain, ScenarioCatalogue.names(), schedules);
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
            Switch.record();
            for (long seed = 0; seed < EXPLORATION_SCHEDULES; seed++) {
                run(List.of(name), seed).ifPresent(failures::add);
            }
            reached.put(name, Switch.recorded());
        }
        return failures;
    }

    /** The scenarios that reach a mutant, ordered by the number of mutants that they reach. */
    List<String> scenarios(Mutant mutant) {
        return names.stream()
                .filter(name -> reachedBy(name).get(mutant.number()))
                .sorted(Comparator.comparingInt(name -> reachedBy(name).cardinality()))
                .toList();
    }

    private BitSet reachedBy(String name) {
        return Objects.requireNonNull(reached.get(name), "explore() must run first");
    }

    /**
     * Searches for a failure of a mutant in schedules of consecutive seeds, spread over the scenarios that reach it. A
     * schedule in which the original code fails too does not count.
     */
    MutantResult search(Mutant mutant, long first, long count, int jobs) throws InterruptedException {
        List<String> scenarios = scenarios(mutant);
        if (scenarios.isEmpty()) {
            return new MutantResult(mutant, scenarios, 0, Optional.empty(), first);
        }
        long done = 0;
        for (long from = first; ; ) {
            Workers workers = new Workers(scenarios, from, first + count - from);
            Switch.choose(mutant);
            try {
                workers.run(jobs);
            } finally {
                Switch.chooseNone();
            }
            done += workers.done();
            Optional<Finding> finding = workers.lowest();
            if (finding.isEmpty() || run(scenarios, finding.get().seed()).isEmpty()) {
                return new MutantResult(mutant, scenarios, done, finding, first);
            }
            from = finding.get().seed() + 1;
        }
    }

    private Optional<Finding> run(Collection<String> scenarios, long seed) {
        List<String> list = List.copyOf(scenarios);
        Scenario scenario = catalogue.apply(Conditions.scenario(list, seed));
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
        private final List<String> scenarios;
        private final long first;
        private final long count;
        private final AtomicLong claimed = new AtomicLong();
        private final AtomicLong done = new AtomicLong();
        private @Nullable Finding lowest;
        private @Nullable Throwable failure;

        Workers(List<String> scenarios, long first, long count) {
            this.scenarios = scenarios;
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
                    Campaign.this.run(scenarios, first + i).ifPresent(this::found);
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
