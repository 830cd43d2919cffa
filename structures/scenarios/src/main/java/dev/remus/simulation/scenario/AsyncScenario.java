// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import static dev.remus.simulation.scenario.ModelledWords.COUNTER;
import static dev.remus.simulation.scenario.ModelledWords.WORDS;
import static dev.remus.simulation.scenario.ModelledWords.check;

import dev.remus.fabric.FabricException;
import dev.remus.fabric.NodeLostException;
import dev.remus.node.CompletionBarrier;
import dev.remus.node.CompletionGrade;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.simulation.scenario.ModelledWords.Kind;
import dev.remus.simulation.scenario.ModelledWords.Operation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Threads post bursts of asynchronous operations and wait for them in every possible way. Each operation must complete
 * exactly once, with the right result. A completion barrier may return an id only when all operations up to it are
 * complete. A wait that has timed out can be repeated. Each completion is reported at most once, and none is missed.
 *
 * @param threads the number of threads, which is even
 * @param bursts the number of bursts of each
 * @param waiting how a thread waits for all operations up to an id
 */
public record AsyncScenario(int threads, int bursts, Waiting waiting) implements Scenario {
    private static final int MAX_OUTSTANDING = 8;
    private static final int LONGEST_LIMIT_NANOS = 4_000;

    /** Well below the interval at which a sleeping thread polls by itself, which would hide a missed wake-up. */
    private static final long LONGEST_SLEEP_NANOS = 150_000_000;

    /** The wait that is tested. */
    @FunctionalInterface
    public interface Waiting {
        /**
         * Waits until all operations to a Memory Node up to an id are complete; returns the last id up to which they
         * are.
         */
        long await(CompletionBarrier barrier, long id, CompletionGrade grade, ComputeThread ct);
    }

    /** Rejects parameters that cannot be run. */
    public AsyncScenario {
        if (bursts < 1) {
            throw new IllegalArgumentException(bursts + " bursts: needs at least one");
        }
    }

    /** The scenario with the waits of {@link CompletionBarrier}: blocking, with a limit, and armed. */
    public static AsyncScenario shipped(int threads, int bursts) {
        return new AsyncScenario(threads, bursts, AsyncScenario::awaitSomehow);
    }

    private static long awaitSomehow(CompletionBarrier barrier, long id, CompletionGrade grade, ComputeThread ct) {
        int way = ct.random().nextInt(3);
        long completed = 0;
        if (way == 0) {
            return barrier.await(id, grade);
        } else if (way == 1) {
            while (completed < id) {
                completed = barrier.tryAwait(id, grade, ct.random().nextInt(LONGEST_LIMIT_NANOS));
            }
            return completed;
        }
        completed = barrier.poll(id, grade);
        if (completed < id) {
            CompletionBarrier reported = null;
            while (reported == null) {
                boolean limited = ct.random().nextBoolean();
                reported = limited
                        ? ct.async().tryAwaitArmed(ct.random().nextInt(LONGEST_LIMIT_NANOS))
                        : ct.async().awaitArmed();
            }
            check(reported == barrier, "another barrier is reported than the one that is armed");
            completed = barrier.poll(id, grade);
            check(
                    completed >= id,
                    "the armed id " + id + " is reported, but only operations up to " + completed + " are complete");
        }
        return completed;
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        Run run = new Run(schedule.faults().isEmpty() && schedule.strikes().isEmpty());
        new SimulatedCluster(
                        Clusters.drawn(threads, schedule.choices(-1))
                                .opsPerThread(MAX_OUTSTANDING)
                                .checkMemory(false) // after a failure, a compare-and-swap settles what a WRITE has left
                                .build(),
                        schedule)
                .prepared(run::prepare)
                .run(ct -> {
                    Worker worker = new Worker(run, schedule.choices(ct.id()), ct);
                    for (int i = 0; i < bursts; i++) {
                        worker.burst();
                    }
                    ct.barrier();
                    run.checkCounters(ct);
                });
    }

    /** The state that the threads of one run share. */
    private final class Run {
        /** Whether the schedule has no faults that delay a thread or a lane. */
        private final boolean undisturbed;

        /** The two places of each thread: its own, and one that a thread of the other node has made. */
        private final long[][] places = new long[threads][2];

        private final List<Set<Long>> counted = List.of(new HashSet<>(), new HashSet<>());

        /** The additions to each counter: those that were executed, and those of unknown outcome. */
        private final int[] executed = new int[2];

        private final int[] unknown = new int[2];

        Run(boolean undisturbed) {
            this.undisturbed = undisturbed;
        }

        void prepare(ComputeThread ct) {
            int partner = (ct.id() + threads / 2) % threads;
            places[ct.id()][0] = zeroed(ct);
            places[partner][1] = zeroed(ct);
        }

        private long zeroed(ComputeThread ct) {
            long block = ct.allocate(WORDS * Long.BYTES);
            for (int i = 0; i < WORDS; i++) {
                ct.write(block + (long) i * Long.BYTES, 0);
            }
            return block;
        }

        long counter(int i) {
            return places[0][i] + COUNTER * Long.BYTES;
        }

        void checkCounters(ComputeThread ct) {
            for (int i = 0; i < 2; i++) {
                long sum = ct.read(counter(i));
                check(
                        sum >= executed[i] && sum <= executed[i] + unknown[i],
                        "the counter is " + sum + " after " + executed[i] + " additions, and " + unknown[i]
                                + " of unknown outcome");
            }
        }
    }

    /** A thread that posts bursts of operations. */
    private final class Worker {
        private final Run run;
        private final SplittableRandom random;
        private final ComputeThread ct;
        private final ModelledWords words;
        private final List<Operation> burst = new ArrayList<>();

        Worker(Run run, SplittableRandom random, ComputeThread ct) {
            this.run = run;
            this.random = random;
            this.ct = ct;
            long[] counters = {run.counter(0), run.counter(1)};
            this.words = new ModelledWords(run.places[ct.id()], counters, random, ct);
        }

        void burst() {
            try {
                post();
                switch (random.nextInt(4)) {
                    case 0 -> awaitOneByOne();
                    case 1 -> awaitAnyUntilAllHaveEnded();
                    case 2 -> awaitAllTogether();
                    default -> {
                        awaitUpToAnId();
                        if (random.nextBoolean()) {
                            awaitAnyUntilAllHaveEnded();
                        }
                    }
                }
                settle();
                checkNothingIsReported();
            } catch (NodeLostException e) {
                throw e;
            } catch (FabricException e) { // a lane broke: outcomes are unknown
                startAnew();
            }
        }

        // -------------------------------------------------------------------------------------------- posting

        private void post() {
            boolean[][] used = new boolean[2][WORDS];
            int most = 1 + random.nextInt(MAX_OUTSTANDING);
            for (int i = 0; i < most; i++) {
                Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
                int place = random.nextInt(2);
                int word = words.drawWord(kind);
                if (kind == Kind.ADD || !used[place][word]) { // operations of a burst have no order among each other
                    used[place][word] = true;
                    run.unknown[place] += kind == Kind.ADD ? 1 : 0;
                    Operation operation = words.post(kind, place, word);
                    burst.add(operation);
                    if (random.nextInt(3) == 0) {
                        operation.detached = true;
                        check(operation.future.detach() == operation.id, "detach() returns another id than id()");
                    }
                }
            }
        }

        // -------------------------------------------------------------------------------------------- waiting

        private long limit() {
            return random.nextInt(LONGEST_LIMIT_NANOS) - 100L;
        }

        private void awaitOneByOne() {
            Collections.shuffle(burst, new Random(random.nextLong()));
            for (Operation operation : burst) {
                if (!operation.detached) {
                    boolean limited = random.nextBoolean();
                    while (limited && !operation.future.tryAwait(limit())) {
                        // not yet
                    }
                    check(
                            !limited || operation.future.isDone(),
                            "the wait returned, but the operation is not complete");
                    end(operation);
                    words.checkPlaced(operation);
                }
            }
        }

        private void awaitAnyUntilAllHaveEnded() {
            int reports = 0;
            while (!haveAllEnded()) {
                CompletionBarrier reported = null;
                long began = ct.nanoTime();
                while (reported == null) {
                    reported = random.nextBoolean()
                            ? ct.async().tryAwaitAny(limit())
                            : ct.async().awaitAny();
                }
                checkSleep(began);
                reports++;
            }
            check(reports <= burst.size(), reports + " completions of " + burst.size() + " operations are reported");
            for (Operation operation : burst) {
                end(operation);
            }
        }

        /** Whether all operations of the burst have ended. */
        private boolean haveAllEnded() {
            boolean all = true;
            for (Operation operation : burst) {
                CompletionBarrier barrier = ct.async().barrier(operation.node);
                boolean done = operation.ended
                        || (operation.detached
                                ? barrier.tryAwait(operation.id, CompletionGrade.LOCAL, 0) >= operation.id
                                : operation.future.isDone());
                all &= done;
            }
            return all;
        }

        private void awaitAllTogether() {
            if (random.nextBoolean()) {
                ct.async().awaitAll();
            } else {
                while (!ct.async().tryAwaitAll(limit())) {
                    // not yet
                }
            }
            for (Operation operation : burst) {
                check(
                        operation.detached || operation.future.isDone(),
                        "all operations were awaited, but one is not complete");
                end(operation);
                words.checkPlaced(operation);
            }
        }

        private void awaitUpToAnId() {
            for (int node = 0; node < 2; node++) {
                CompletionBarrier barrier = ct.async().barrier(node);
                if (barrier.lastPosted() > 0) {
                    CompletionGrade grade = random.nextBoolean() ? CompletionGrade.LOCAL : CompletionGrade.REMOTE;
                    long id = barrier.lastPosted() - random.nextInt((int) Math.min(3, barrier.lastPosted()));
                    long began = ct.nanoTime();
                    long completed = waiting.await(barrier, id, grade, ct);
                    checkSleep(began);
                    check(completed <= barrier.lastPosted(), "more operations are complete than were posted");
                    checkCompleted(node, Math.max(id, completed), grade);
                }
            }
        }

        private void checkCompleted(int node, long upTo, CompletionGrade grade) {
            for (Operation operation : burst) {
                if (operation.node == node && operation.id <= upTo) {
                    check(
                            operation.detached || operation.ended || operation.future.isDone(),
                            "all up to " + upTo + " are complete, and " + operation.id + " is not");
                    words.useLocalMemory(operation);
                    if (grade == CompletionGrade.REMOTE) {
                        words.checkPlaced(operation);
                    }
                }
            }
        }

        private void checkSleep(long began) {
            long nanos = ct.nanoTime() - began;
            check(
                    !run.undisturbed || nanos < LONGEST_SLEEP_NANOS,
                    "slept for " + nanos + " ns: " + ct + " was not woken");
        }

        // -------------------------------------------------------------------------------------------- results

        /** Awaits everything that is left, and checks the contents of memory. */
        private void settle() {
            for (int node = 0; node < 2; node++) {
                CompletionBarrier barrier = ct.async().barrier(node);
                barrier.await(barrier.lastPosted(), CompletionGrade.REMOTE);
            }
            for (Operation operation : burst) {
                end(operation);
                words.checkPlaced(operation);
            }
            burst.clear();
        }

        private void checkNothingIsReported() {
            boolean nothing = false;
            try {
                ct.async().tryAwaitAny(0);
            } catch (FabricException e) {
                throw e;
            } catch (IllegalStateException e) {
                nothing = true; // required, since no completion is left
            }
            check(nothing, "a wait expects a completion, although all were reported");
        }

        /** Checks the result of a complete operation. */
        private void end(Operation operation) {
            if (operation.ended) {
                return;
            }
            operation.ended = true;
            long result = operation.detached ? endDetached(operation) : operation.future.await();
            words.useLocalMemory(operation);
            if (operation.kind == Kind.ADD) {
                run.unknown[operation.place]--;
                run.executed[operation.place]++;
                check(
                        operation.detached || run.counted.get(operation.place).add(result),
                        "two additions found " + result);
            } else if (!operation.detached && (operation.kind == Kind.READ || operation.kind == Kind.SWAP)) {
                check(result == operation.found, operation.kind + " of " + operation.found + " found " + result);
            }
        }

        private long endDetached(Operation operation) {
            long completed = ct.async().barrier(operation.node).tryAwait(operation.id, CompletionGrade.LOCAL, 0);
            check(completed >= operation.id, "operation " + operation.id + " is not complete, only " + completed);
            return 0;
        }

        // -------------------------------------------------------------------------------------------- broken lanes

        /** Releases every future, takes every failure once, and sets the thread's words to its model again. */
        private void startAnew() {
            int failures = 0;
            for (int node = 0; node < 2; node++) {
                CompletionBarrier barrier = ct.async().barrier(node);
                failures += hasFailed(() -> barrier.poll(0, CompletionGrade.LOCAL)) ? 1 : 0; // no id stays armed
            }
            for (Operation operation : burst) {
                if (!operation.detached && !operation.ended) {
                    failures += hasFailed(operation.future::await) ? 1 : 0;
                }
            }
            burst.clear();
            while (hasFailed(ct::place)) {
                check(++failures < 10 * MAX_OUTSTANDING, "failures are reported again and again");
            }
            for (int place = 0; place < 2; place++) {
                for (int word = 0; word < WORDS; word++) {
                    if (word != COUNTER) {
                        int lost = word;
                        int at = place;
                        while (hasFailed(() -> words.zero(at, lost))) {
                            check(++failures < 10 * MAX_OUTSTANDING, "failures are reported again and again");
                        }
                    }
                }
            }
        }

        private boolean hasFailed(Runnable action) {
            try {
                action.run();
                return false;
            } catch (NodeLostException e) {
                throw e;
            } catch (FabricException e) {
                return true;
            }
        }
    }
}
