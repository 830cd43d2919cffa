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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * All mutants of some classes, and the search for each. The classes are loaded once, in a copy that only the scenarios
 * here use; which mutant runs is decided by {@link Switch}, of which there is one, so that there must be one campaign at a time.
 */
final class Campaign {
    private static final int SCHEDULES_TO_SEE_WHAT_IS_REACHED = 60;

    private final Function<String, Scenario> catalogue;
    private final List<Mutant> mutants;
    private final List<String> names;

    /** By scenario, the mutants that it reaches. */
    private final Map<String, BitSet> reached = new LinkedHashMap<>();

    /** Mutates what {@link ClassesUnderTest} names. */
    static Campaign ofEverything() {
        return new Campaign(ClassesUnderTest.names(), ClassesUnderTest::contain, ScenarioCatalogue.names());
    }

    /**
     * Mutates some classes.
     *
     * @param classes their names
     * @param isUnderTest says which these are
     * @param scenarios the names of scenarios that may find something
     */
    @SuppressWarnings("unchecked") // the class is ours, and is a function on both sides of the class loader
    Campaign(List<String> classes, Predicate<String> isUnderTest, List<String> scenarios) {
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
    }

    List<Mutant> mutants() {
        return mutants;
    }

    /**
     * Runs all scenarios without a mutant, to see which mutants each of them reaches.
     *
     * @return what went wrong, which should be nothing
     */
    List<Finding> explore() {
        List<Finding> wrong = new ArrayList<>();
        Switch.chooseNone();
        for (String name : names) {
            Switch.record();
            for (long seed = 0; seed < SCHEDULES_TO_SEE_WHAT_IS_REACHED; seed++) {
                run(List.of(name), seed).ifPresent(wrong::add);
            }
            reached.put(name, Switch.recorded());
        }
        return wrong;
    }

    /** The scenarios that reach a mutant, those first that reach the fewest others. */
    List<String> scenarios(Mutant mutant) {
        return names.stream()
                .filter(name -> reachedBy(name).get(mutant.number()))
                .sorted(Comparator.comparingInt(name -> reachedBy(name).cardinality()))
                .toList();
    }

    private BitSet reachedBy(String name) {
        return Objects.requireNonNull(reached.get(name), "explore() comes first");
    }

    /** Looks for a mutant in schedules of consecutive seeds, dealt out to the scenarios that reach it. */
    MutantResult search(Mutant mutant, long first, long count, int jobs) throws InterruptedException {
        List<String> scenarios = scenarios(mutant);
        if (scenarios.isEmpty()) {
            return new MutantResult(mutant, scenarios, 0, Optional.empty(), first);
        }
        Switch.choose(mutant);
        try {
            Workers workers = new Workers(scenarios, first, count);
            workers.run(jobs);
            workers.lowest().ifPresent(finding -> checkThatItIsTheMutants(finding, scenarios));
            return new MutantResult(mutant, scenarios, workers.done(), workers.lowest(), first);
        } finally {
            Switch.chooseNone();
        }
    }

    /** Otherwise it is a mistake of what is shipped, or of the scenario. */
    private void checkThatItIsTheMutants(Finding finding, List<String> scenarios) {
        Switch.chooseNone();
        Optional<Finding> original = run(scenarios, finding.seed());
        if (original.isPresent()) {
            throw new IllegalStateException(
                    "something goes wrong without any mutant, in " + Conditions.scenario(scenarios, finding.seed()),
                    original.get().cause());
        }
    }

    private Optional<Finding> run(Collection<String> scenarios, long seed) {
        List<String> list = List.copyOf(scenarios);
        Scenario scenario = catalogue.apply(Conditions.scenario(list, seed));
        Schedule schedule = Conditions.schedule(list, seed);
        Switch.begin();
        try {
            return Finding.in(scenario, schedule);
        } catch (StackOverflowError | OutOfMemoryError e) { // it can be a mutant's fault
            return Optional.of(new Finding(seed, e));
        }
    }

    /** Several schedules at a time; the lowest seed that goes wrong counts, whoever is first. */
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
