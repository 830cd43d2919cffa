package dev.remus.simulation.scenario;

import dev.remus.fabric.FabricException;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.NodeLostException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.CompletionBarrier;
import dev.remus.node.CompletionGrade;
import dev.remus.node.ComputeThread;
import dev.remus.node.RemoteFuture;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
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
 * <pre>
 *  a thread's words at two places, 8 bytes each
 *   0 ... 3                4                 5                  8 ... 15
 *  +----------------------+-----------------+------------------+----------------------+
 *  | WRITTEN, READ        | compared and    | added to by all, | WRITTEN, READ as one |
 *  |                      | swapped         | at two threads'  |                      |
 *  +----------------------+-----------------+------------------+----------------------+
 * </pre>
 *
 * @param threads the number of threads, which is even
 * @param bursts the number of bursts of each
 * @param waiting how a thread waits for all operations up to an id
 */
public record AsyncScenario(int threads, int bursts, Waiting waiting) implements Scenario {
    private static final int MAX_OUTSTANDING = 8;
    private static final int WORDS = 16;
    private static final int PLAIN = 4;
    private static final int SWAPPED = 4;
    private static final int COUNTER = 5;
    private static final int BULK = 8;
    private static final int BULK_BYTES = 64;
    private static final long GARBAGE = -1;
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

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        Run run = new Run(schedule.faults().isEmpty() && schedule.strikes().isEmpty());
        new SimulatedCluster(
                        Clusters.drawn(threads, schedule.choices(-1))
                                .opsPerThread(MAX_OUTSTANDING)
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

    private enum Kind {
        READ,
        WRITE,
        SWAP,
        ADD,
        BULK_READ,
        BULK_WRITE
    }

    /** An operation of the burst. */
    private static final class Operation {
        private final Kind kind;
        private final int place;
        private final int word;
        private final RemoteFuture future;
        private final int node;
        private final long id;

        /** The value that it must find. */
        private final long found;

        private boolean detached;
        private boolean ended;

        Operation(Kind kind, int place, int word, long found, RemoteFuture future) {
            this.kind = kind;
            this.place = place;
            this.word = word;
            this.found = found;
            this.future = future;
            this.node = future.memoryNode();
            this.id = future.id();
        }
    }

    /** A thread, and its model of remote memory. */
    private final class Worker {
        private final Run run;
        private final SplittableRandom random;
        private final ComputeThread ct;
        private final LocalBuffer written;
        private final LocalBuffer read;
        private final long[] places;

        /** By place and word; of the bulk the first word stands for all. */
        private final long[][] model = new long[2][WORDS];

        private final List<Operation> burst = new ArrayList<>();
        private long stamp;

        Worker(Run run, SplittableRandom random, ComputeThread ct) {
            this.run = run;
            this.random = random;
            this.ct = ct;
            this.places = run.places[ct.id()];
            this.written = ct.allocateLocal(2 * BULK_BYTES);
            this.read = ct.allocateLocal(2 * BULK_BYTES);
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
                int word = word(kind);
                if (kind == Kind.ADD || !used[place][word]) { // operations of a burst have no order among each other
                    used[place][word] = true;
                    run.unknown[place] += kind == Kind.ADD ? 1 : 0;
                    Operation operation = new Operation(kind, place, word, model[place][word], post(kind, place, word));
                    burst.add(operation);
                    if (random.nextInt(3) == 0) {
                        operation.detached = true;
                        check(operation.future.detach() == operation.id, "detach() returns another id than id()");
                    }
                }
            }
        }

        private int word(Kind kind) {
            return switch (kind) {
                case READ, WRITE -> random.nextInt(PLAIN);
                case SWAP -> SWAPPED;
                case ADD -> COUNTER;
                case BULK_READ, BULK_WRITE -> BULK;
            };
        }

        private RemoteFuture post(Kind kind, int place, int word) {
            long pointer = places[place] + (long) word * Long.BYTES;
            long before = model[place][word];
            return switch (kind) {
                case READ -> ct.async().read(pointer);
                case WRITE -> ct.async().write(pointer, model[place][word] = ++stamp);
                case SWAP -> {
                    boolean fits = random.nextInt(3) > 0;
                    model[place][word] = fits ? ++stamp : before;
                    yield ct.async().compareAndSwap(pointer, fits ? before : GARBAGE, fits ? stamp : GARBAGE);
                }
                case ADD -> ct.async().fetchAndAdd(run.counter(place), 1);
                case BULK_READ -> {
                    fill(read, place, GARBAGE);
                    yield ct.async().read(pointer, read, (long) place * BULK_BYTES, BULK_BYTES);
                }
                case BULK_WRITE -> {
                    model[place][word] = ++stamp;
                    fill(written, place, stamp);
                    yield ct.async().write(pointer, written, (long) place * BULK_BYTES, BULK_BYTES);
                }
            };
        }

        private void fill(LocalBuffer memory, int place, long value) {
            for (int i = 0; i < BULK_BYTES; i += Long.BYTES) {
                memory.putLong((long) place * BULK_BYTES + i, value);
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
                    checkPlaced(operation);
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
                checkPlaced(operation);
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
                    useLocalMemory(operation);
                    if (grade == CompletionGrade.REMOTE) {
                        checkPlaced(operation);
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
                checkPlaced(operation);
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
            useLocalMemory(operation);
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
            return GARBAGE;
        }

        /** The thread owns the local memory again: read values are there, and written values may be overwritten. */
        private void useLocalMemory(Operation operation) {
            if (operation.kind == Kind.BULK_WRITE) {
                fill(written, operation.place, GARBAGE);
            } else if (operation.kind == Kind.BULK_READ) {
                for (int i = 0; i < BULK_BYTES; i += Long.BYTES) {
                    long word = read.getLong((long) operation.place * BULK_BYTES + i);
                    check(word == operation.found, "READ " + word + " instead of " + operation.found);
                }
            }
        }

        /** Checks that every lane sees the value that an operation wrote. */
        private void checkPlaced(Operation operation) {
            if (operation.kind != Kind.ADD) {
                int last = operation.word == BULK ? WORDS : operation.word + 1;
                for (int word = operation.word; word < last; word++) {
                    long found = ct.read(places[operation.place] + (long) word * Long.BYTES);
                    long expected = model[operation.place][operation.word];
                    check(
                            found == expected,
                            operation.kind + " at ("
                                    + RdmaPtr.toString(places[operation.place] + (long) word * Long.BYTES)
                                    + ") is complete, but the word is " + found + " instead of " + expected);
                }
            }
        }

        // -------------------------------------------------------------------------------------------- broken lanes

        /** Releases every future, takes every failure once, and sets the thread's words to its model again. */
        private void startAnew() {
            int failures = 0;
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
                    long pointer = places[place] + (long) word * Long.BYTES;
                    if (word != COUNTER) {
                        model[place][word] = 0;
                        while (hasFailed(() -> overwrite(pointer))) {
                            check(++failures < 10 * MAX_OUTSTANDING, "failures are reported again and again");
                        }
                    }
                }
            }
        }

        private void overwrite(long pointer) {
            long seen = ct.read(pointer);
            while (seen != 0) {
                seen = ct.compareAndSwap(pointer, seen, 0) == seen ? 0 : ct.read(pointer);
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
