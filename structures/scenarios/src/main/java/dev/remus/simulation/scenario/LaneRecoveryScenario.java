// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import static dev.remus.simulation.scenario.ModelledWords.check;

import dev.remus.config.ClusterConfig;
import dev.remus.config.LanePolicy;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.node.ComputeThread;
import dev.remus.node.RemoteFuture;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Lanes break while threads post operations of all kinds and wait for them, and are connected again. An operation that
 * has returned, or that a wait without an exception covers, has been executed, once, and is visible. One that failed
 * has been executed once or not at all. A failure needs a lane that broke, and is reported; when each thread has used
 * all lanes again, none fails any more.
 *
 * <p>Each operation has a word of its own, so that an operation whose outcome is unknown cannot disturb another. This
 * scenario chooses its own faults and ignores those of the schedule.
 *
 * @param threads the number of threads, which is even
 * @param operations the number of operations of each, before all lanes are used again
 * @param fault {@link Fault#BROKEN_LANES}, or {@link Fault#DOWN_LINKS}: all lanes of a link break and stay broken for a
 *     while
 */
public record LaneRecoveryScenario(int threads, int operations, Fault fault) implements Scenario {
    private static final int MAX_OUTSTANDING = 4;
    private static final int MAX_LANES = 3;
    private static final int MAX_BREAKS = 3;
    private static final int LATEST_WAIT = 25;

    /** The value that each operation writes, or adds to a word that is 0. */
    private static final long DONE = 1;

    private static final int USES_OF_A_LANE = 2;

    /** Lanes break one by one. */
    public LaneRecoveryScenario(int threads, int operations) {
        this(threads, operations, Fault.BROKEN_LANES);
    }

    /** Rejects parameters that cannot be run. */
    public LaneRecoveryScenario {
        if (operations < 1) {
            throw new IllegalArgumentException(operations + " operations: needs at least one");
        }
    }

    private enum Kind {
        WRITE(false),
        ADD(false),
        SWAP(false),
        SEQUENCE(false),
        POST(false),
        POST_ADD(false),
        POST_SEQUENCE(false),
        FUTURE_WRITE(true),
        FUTURE_ADD(true),
        FUTURE_SEQUENCE(true),
        DETACHED_WRITE(true),
        DETACHED_ADD(true),
        AWAIT(false),
        PLACE(false);

        final boolean isAsynchronous;

        Kind(boolean isAsynchronous) {
            this.isAsynchronous = isAsynchronous;
        }
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        int lanes = 1 + random.nextInt(MAX_LANES);
        ClusterConfig config = Clusters.drawn(threads, random)
                .lanes(lanes)
                .lanePolicy(random.nextBoolean() ? LanePolicy.RR : LanePolicy.MOD)
                .opsPerThread(MAX_OUTSTANDING)
                .build();
        List<Strike> strikes = new ArrayList<>();
        for (int i = random.nextInt(MAX_BREAKS + 1); i > 0; i--) {
            strikes.add(new Strike(fault, random.nextInt(threads), 1 + random.nextInt(LATEST_WAIT)));
        }
        SimulatedCluster cluster =
                new SimulatedCluster(config, schedule.withFaults(Set.of()).withStrikes(strikes.toArray(Strike[]::new)));
        if (random.nextBoolean()) {
            cluster.withLocalReads();
        }
        Run run = new Run(cluster, lanes);
        cluster.prepared(run::prepare).run(ct -> new Worker(run, schedule.choices(ct.id()), ct).work());
        run.judge();
    }

    /** The state that the threads of one run share. */
    private final class Run {
        private final SimulatedCluster cluster;
        private final int lanes;
        private final long[][] words = new long[threads][2];
        private int arrived;

        /** The threads that have begun to work, after a barrier, and those that have nothing left but to end. */
        private int begun;

        private int ended;

        Run(SimulatedCluster cluster, int lanes) {
            this.cluster = cluster;
            this.lanes = lanes;
        }

        /** The most operations of a thread. */
        private int most() {
            return operations + 2 * USES_OF_A_LANE * MAX_LANES + 2;
        }

        void prepare(ComputeThread ct) {
            int partner = (ct.id() + threads / 2) % threads;
            words[ct.id()][0] = zeroed(ct);
            words[partner][1] = zeroed(ct);
        }

        private long zeroed(ComputeThread ct) {
            long block = ct.allocate((long) most() * Long.BYTES);
            for (int i = 0; i < most(); i++) {
                ct.post(block + (long) i * Long.BYTES, 0);
            }
            ct.place();
            return block;
        }

        int breaks() {
            return cluster.struck().size();
        }

        /** Waits for all threads, without a remote operation. */
        void meet(int times, ComputeThread ct) {
            arrived++;
            while (arrived < times * threads) {
                ct.pause();
            }
        }

        /** Whether each thread is at work, and so catches the failures of its operations. */
        private boolean isEachAtWork() {
            return begun == threads && ended == 0;
        }

        /** An exception that reports the loss of a node: no node is lost while all threads are at work. */
        NodeLostException lost(NodeLostException e) {
            if (isEachAtWork()) {
                throw new AssertionError("a node counts as lost, although only lanes broke", e);
            }
            return e;
        }

        void judge() {
            check(!isEachAtWork(), "no thread has ended, although only lanes broke");
        }
    }

    /** An operation, and what is known about it. */
    private static final class Operation {
        final Kind kind;
        final long word;
        boolean isExecuted;

        Operation(Kind kind, long word) {
            this.kind = kind;
            this.word = word;
        }
    }

    /** An operation whose future is to be awaited. */
    private record Awaited(Operation operation, RemoteFuture future) {}

    /** One thread. */
    private final class Worker {
        private final Run run;
        private final SplittableRandom random;
        private final ComputeThread ct;
        private final LocalBuffer local;
        private final int[] used = new int[2];
        private final List<Operation> all = new ArrayList<>();

        /** Those without a future. The next {@code place} reports their outcome, unless an operation fails first. */
        private final List<Operation> posted = new ArrayList<>();

        /** Those whose outcome the next {@code place} reports. */
        private final List<Operation> detached = new ArrayList<>();

        private final List<Awaited> futures = new ArrayList<>();

        Worker(Run run, SplittableRandom random, ComputeThread ct) {
            this.run = run;
            this.random = random;
            this.ct = ct;
            this.local = ct.allocateLocal(2L * run.most() * Long.BYTES);
            for (int i = 0; i < 2 * run.most(); i++) {
                local.putLong((long) i * Long.BYTES, DONE);
            }
        }

        void work() {
            run.begun++;
            for (int i = 0; i < operations; i++) {
                Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
                switch (kind) {
                    case AWAIT -> await();
                    case PLACE -> place();
                    default -> execute(kind, random.nextInt(2));
                }
            }
            while (!futures.isEmpty()) {
                await();
            }
            run.meet(1, ct);
            int breaks = run.breaks();
            useAllLanes();
            for (int failures = 0; !place(); failures++) {
                check(failures <= MAX_OUTSTANDING + 2 * run.breaks(), "place() fails for ever");
            }
            run.meet(2, ct);
            boolean succeeds = execute(Kind.WRITE, 0) & execute(Kind.ADD, 1) & place();
            check(succeeds || run.breaks() > breaks, "an operation fails although all lanes have been used again");
            checkWords();
            run.ended++;
        }

        /** Both policies then have used all lanes that this thread ever uses. */
        private void useAllLanes() {
            for (int place = 0; place < 2; place++) {
                for (int i = 0; i < USES_OF_A_LANE * run.lanes; i++) {
                    execute(Kind.WRITE, place);
                }
            }
        }

        // -------------------------------------------------------------------------------------------- operations

        /** Starts an operation. Returns false if that failed; its outcome is then unknown. */
        private boolean execute(Kind kind, int place) {
            Operation operation = new Operation(kind, run.words[ct.id()][place] + (long) used[place]++ * Long.BYTES);
            all.add(operation);
            boolean isExhausted = futures.size() == MAX_OUTSTANDING && kind.isAsynchronous;
            try {
                boolean succeeds = succeeds(() -> start(kind, operation));
                check(!succeeds || !isExhausted, "more than " + MAX_OUTSTANDING + " operations are outstanding");
                if (!succeeds) {
                    posted.clear(); // perhaps on the same lane
                }
                return succeeds;
            } catch (IllegalStateException e) {
                check(isExhausted, "refused although not all futures are in use: " + e);
                return true;
            }
        }

        private void start(Kind kind, Operation operation) {
            long word = operation.word;
            int at = (all.size() - 1) * Long.BYTES;
            switch (kind) {
                case WRITE -> {
                    ct.write(word, DONE);
                    executed(operation);
                }
                case ADD -> {
                    checkFound(ct.fetchAndAdd(word, DONE));
                    executed(operation);
                }
                case SWAP -> {
                    checkFound(ct.compareAndSwap(word, 0, DONE));
                    executed(operation);
                }
                case SEQUENCE -> {
                    ct.sequence().write(word, local, at, Long.BYTES).execute();
                    executed(operation);
                }
                case POST -> {
                    ct.post(word, DONE);
                    posted.add(operation);
                }
                case POST_ADD -> {
                    ct.postFetchAndAdd(word, DONE);
                    posted.add(operation);
                }
                case POST_SEQUENCE -> {
                    ct.sequence().write(word, local, at, Long.BYTES).post();
                    posted.add(operation);
                }
                case FUTURE_WRITE ->
                    futures.add(new Awaited(operation, ct.async().write(word, DONE)));
                case FUTURE_ADD -> futures.add(new Awaited(operation, ct.async().fetchAndAdd(word, DONE)));
                case FUTURE_SEQUENCE ->
                    futures.add(new Awaited(
                            operation,
                            ct.sequence().write(word, local, at, Long.BYTES).executeAsync()));
                case DETACHED_WRITE -> {
                    ct.async().write(word, DONE).detach();
                    detached.add(operation);
                }
                case DETACHED_ADD -> {
                    ct.async().fetchAndAdd(word, DONE).detach();
                    detached.add(operation);
                }
                default -> throw new AssertionError(kind);
            }
        }

        private static void checkFound(long found) {
            check(found == 0, "an operation found " + found + " in a word that no other operation has used");
        }

        private void executed(Operation operation) {
            operation.isExecuted = true;
            long found = ct.read(operation.word);
            check(found == DONE, operation.kind + " has returned, and its word is " + found + " instead of " + DONE);
        }

        /** Whether an action returns without an exception. Only a broken lane may cause one. */
        private boolean succeeds(Runnable action) {
            try {
                action.run();
                return true;
            } catch (NodeLostException e) {
                throw run.lost(e);
            } catch (FabricException e) {
                check(run.breaks() > 0, "failed although no lane broke: " + e);
                return false;
            }
        }

        private void await() {
            if (futures.isEmpty()) {
                return;
            }
            Awaited next = futures.remove(random.nextInt(futures.size()));
            if (succeeds(next.future::await) && !succeeds(() -> executed(next.operation))) {
                posted.clear(); // the READ has reported their loss
            }
        }

        /** Returns whether everything that was posted is placed. */
        private boolean place() {
            boolean succeeds = succeeds(() -> {
                ct.place();
                posted.forEach(this::executed);
                detached.forEach(this::executed);
            });
            posted.clear();
            detached.clear();
            return succeeds;
        }

        /** Executed once, or, if it has failed, not at all. */
        private void checkWords() {
            all.forEach(operation -> succeeds(() -> {
                long found = ct.read(operation.word);
                check(
                        found == DONE || found == 0 && !operation.isExecuted,
                        operation.kind + " has changed its word to " + found
                                + (operation.isExecuted ? ", and was executed" : ", and has failed"));
            }));
        }
    }
}
