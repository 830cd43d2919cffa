// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import static dev.remus.simulation.scenario.ModelledWords.check;

import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.CompletionBarrier;
import dev.remus.node.CompletionGrade;
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
 * Threads have as many asynchronous operations in flight as they may, over several lanes to two Memory Nodes, some of
 * them detached, and requests that are late. Ids count up. A barrier never takes a completion back, and what it or
 * {@code place} reports as complete is done. A wait with a limit ends soon after its limit, also if nothing completes,
 * and not before if the limit is the longest one. Each completion is reported at most once, and none is missed, however
 * many others there are. An operation too many is refused, unless a detached one makes room.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param threads the number of threads, which is even
 * @param steps the number of steps of each, which post operations or wait for some
 */
public record CompletionScenario(int threads, int steps) implements Scenario {
    private static final int MAX_OUTSTANDING = 6;
    private static final int LATEST_WAIT = 30;
    private static final int MAX_LATE = 3;
    private static final int LONGEST_LIMIT_NANOS = 20_000;
    private static final int UNLIMITED_ONE_IN = 8;

    /** More operations than those of which each is remembered by itself. */
    private static final int MANY = 70;

    private static final int MANY_ONE_IN = 3;

    /** Much longer than a limit, and much shorter than the longest delay of a late request. */
    private static final long SLACK_NANOS = 2_000_000;

    /** Requests are late for up to half of this time. */
    private static final long QUIET_NANOS = 2_000_000_000L;

    /** Rejects parameters that cannot be run. */
    public CompletionScenario {
        if (steps < 1) {
            throw new IllegalArgumentException(steps + " steps: needs at least one");
        }
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        List<Strike> strikes = new ArrayList<>();
        for (int i = random.nextInt(MAX_LATE + 1); i > 0; i--) {
            strikes.add(new Strike(Fault.LATE_REQUESTS, random.nextInt(threads), 1 + random.nextInt(LATEST_WAIT)));
        }
        SimulatedCluster cluster = new SimulatedCluster(
                Clusters.drawn(threads, random).opsPerThread(MAX_OUTSTANDING).build(),
                schedule.withFaults(Set.of()).withStrikes(strikes.toArray(Strike[]::new)));
        cluster.simulator().quietAfter(QUIET_NANOS);
        long[][] words = new long[threads][2];
        cluster.prepared(ct -> prepare(words, ct)).run(ct -> {
            Worker worker = new Worker(words[ct.id()], schedule.choices(ct.id()), ct);
            for (int i = 0; i < steps; i++) {
                worker.step();
            }
            if (ct.id() == 0) {
                worker.postMany();
            }
            worker.finish();
        });
    }

    /** Each thread gets two words: one that it allocates, and one that a thread of the other node does. */
    private void prepare(long[][] words, ComputeThread ct) {
        int partner = (ct.id() + threads / 2) % threads;
        words[ct.id()][0] = ct.allocate(Long.BYTES);
        words[partner][1] = ct.allocate(Long.BYTES);
        ct.write(words[ct.id()][0], 0);
        ct.write(words[partner][1], 0);
    }

    /** A future that is still to be awaited. */
    private record Pending(RemoteFuture future, int place, boolean isAddition) {}

    /** One thread. */
    private static final class Worker {
        private final long[] words;
        private final SplittableRandom random;
        private final ComputeThread ct;
        private final List<Pending> pending = new ArrayList<>();

        /** The additions to each word. */
        private final long[] added = new long[2];

        /** By Memory Node and grade: what a barrier has reported. */
        private final long[][] reported = new long[2][CompletionGrade.values().length];

        private final long[] lastId = new long[2];
        private final ExpectedReports reports = new ExpectedReports();

        Worker(long[] words, SplittableRandom random, ComputeThread ct) {
            this.words = words;
            this.random = random;
            this.ct = ct;
        }

        void step() {
            switch (random.nextInt(8)) {
                case 0 -> awaitFuture();
                case 1 -> awaitBarrier();
                case 2 -> sleep();
                case 3 -> place();
                default -> {
                    int most = 1 + random.nextInt(MAX_OUTSTANDING);
                    for (int i = 0; i < most; i++) {
                        post();
                    }
                }
            }
            for (int node = 0; node < 2; node++) {
                checkReports(ct.async().barrier(node));
            }
        }

        // -------------------------------------------------------------------------------------------- posting

        private void post() {
            int place = random.nextInt(2);
            boolean isAddition = random.nextInt(4) > 0;
            boolean hasRoom = pending.size() < MAX_OUTSTANDING;
            RemoteFuture future;
            try {
                future = isAddition
                        ? ct.async().fetchAndAdd(words[place], 1)
                        : ct.async().read(words[place]);
            } catch (IllegalStateException e) {
                check(!hasRoom, "refused, although only " + pending.size() + " operations are not detached: " + e);
                return;
            }
            check(hasRoom, "more than " + MAX_OUTSTANDING + " operations are outstanding");
            added[place] += isAddition ? 1 : 0;
            int node = future.memoryNode();
            check(future.id() == ++lastId[node], "id " + future.id() + " instead of " + lastId[node]);
            CompletionBarrier barrier = ct.async().barrier(node);
            check(barrier.lastPosted() == lastId[node], "the last posted id is " + barrier.lastPosted());
            reports.posted(node, future.id());
            if (random.nextInt(3) == 0) {
                future.detach();
            } else {
                pending.add(new Pending(future, place, isAddition));
            }
        }

        // -------------------------------------------------------------------------------------------- waiting

        private long limit() {
            boolean isUnlimited = random.nextInt(UNLIMITED_ONE_IN) == 0;
            return isUnlimited ? Long.MAX_VALUE : random.nextInt(LONGEST_LIMIT_NANOS) - 100L;
        }

        private void checkEndedInTime(long began, long limit, boolean isSuccessful) {
            long nanos = ct.nanoTime() - began;
            check(
                    limit == Long.MAX_VALUE ? isSuccessful : nanos <= Math.max(0, limit) + SLACK_NANOS,
                    "a wait of at most " + limit + " ns ended " + (isSuccessful ? "well" : "in vain") + " after "
                            + nanos + " ns");
        }

        private void awaitFuture() {
            if (pending.isEmpty()) {
                return;
            }
            Pending next = pending.remove(random.nextInt(pending.size()));
            boolean ended = random.nextBoolean();
            while (!ended) {
                long limit = limit();
                long began = ct.nanoTime();
                ended = next.future.tryAwait(limit);
                checkEndedInTime(began, limit, ended);
            }
            reports.learned(next.future.memoryNode(), next.future.id());
            long found = next.future.await();
            check(
                    found >= 0 && found < Math.max(1, added[next.place] + (next.isAddition ? 0 : 1)),
                    "found " + found + " after " + added[next.place] + " additions");
        }

        private void awaitBarrier() {
            CompletionBarrier barrier = ct.async().barrier(random.nextInt(2));
            CompletionGrade grade = CompletionGrade.values()[random.nextInt(CompletionGrade.values().length)];
            if (barrier.lastPosted() == 0) {
                return;
            }
            long id = random.nextLong(1 + barrier.lastPosted());
            long completed = 0;
            boolean isPatient = random.nextBoolean();
            if (isPatient) {
                completed = barrier.await(id, grade);
                reports.awaited(barrier.memoryNode(), id);
            } else {
                long limit = limit();
                long began = ct.nanoTime();
                completed = barrier.tryAwait(id, grade, limit);
                checkEndedInTime(began, limit, completed >= id);
            }
            check(!isPatient || completed >= id, "awaited " + id + ", but complete are only those up to " + completed);
            note(barrier, grade, completed);
        }

        private void sleep() {
            if (random.nextBoolean()) {
                sleepUntilAnyCompletes(limit());
            } else {
                sleepUntilAllAreComplete();
            }
        }

        /** Sleeps until something completes, if anything can. Returns whether something has. */
        private boolean sleepUntilAnyCompletes(long limit) {
            long began = ct.nanoTime();
            CompletionBarrier reported;
            try {
                reported = ct.async().tryAwaitAny(limit);
            } catch (IllegalStateException e) {
                reports.noneCanCome();
                return false;
            }
            checkEndedInTime(began, limit, reported != null);
            if (reported != null) {
                reports.reported(reported.memoryNode());
            }
            return reported != null;
        }

        private void sleepUntilAllAreComplete() {
            CompletionBarrier barrier = ct.async().barrier(random.nextInt(2));
            CompletionGrade grade = CompletionGrade.values()[random.nextInt(CompletionGrade.values().length)];
            long last = barrier.lastPosted();
            if (last > 0 && barrier.poll(last, grade) < last) {
                long limit = limit();
                long began = ct.nanoTime();
                boolean isReported = ct.async().tryAwaitArmed(limit) != null;
                checkEndedInTime(began, limit, isReported);
            }
        }

        private void place() {
            if (random.nextBoolean()) {
                ct.place();
            } else {
                ct.async().awaitAll();
            }
            learnedOfAll();
            checkAllIsComplete();
        }

        private void learnedOfAll() {
            for (int node = 0; node < 2; node++) {
                reports.awaited(node, lastId[node]);
            }
        }

        // -------------------------------------------------------------------------------------------- reports

        private void note(CompletionBarrier barrier, CompletionGrade grade, long completed) {
            long[] before = reported[barrier.memoryNode()];
            check(
                    completed >= before[grade.ordinal()] && completed <= barrier.lastPosted(),
                    "complete are the operations up to " + completed + ", after " + before[grade.ordinal()]
                            + " and before " + barrier.lastPosted());
            before[grade.ordinal()] = completed;
        }

        private void checkReports(CompletionBarrier barrier) {
            long remote = barrier.completed(CompletionGrade.REMOTE);
            note(barrier, CompletionGrade.REMOTE, remote);
            long local = barrier.completed(CompletionGrade.LOCAL);
            note(barrier, CompletionGrade.LOCAL, local);
            check(local >= remote, "placed are those up to " + remote + ", but acknowledged only up to " + local);
            for (Pending next : pending) {
                RemoteFuture future = next.future;
                if (future.memoryNode() == barrier.memoryNode() && future.id() <= local) {
                    check(future.isDone(), future + " is not complete, although all up to " + local + " are");
                    reports.learned(future.memoryNode(), future.id());
                }
            }
        }

        private void checkAllIsComplete() {
            for (int node = 0; node < 2; node++) {
                CompletionBarrier barrier = ct.async().barrier(node);
                long completed = barrier.completed(CompletionGrade.REMOTE);
                check(
                        completed == barrier.lastPosted(),
                        "only those up to " + completed + " are complete, not all up to " + barrier.lastPosted());
            }
            for (int place = 0; place < 2; place++) {
                long sum = ct.read(words[place]);
                check(sum == added[place], "the word is " + sum + " after " + added[place] + " additions");
            }
        }

        /**
         * Sometimes learns of many operations one by one, behind some that have completed before. Those are still to be
         * reported.
         */
        void postMany() {
            if (random.nextInt(MANY_ONE_IN) > 0) {
                return;
            }
            int place = random.nextInt(2);
            CompletionBarrier barrier = ct.async().barrier(RdmaPtr.node(words[place]));
            int node = barrier.memoryNode();
            for (int detached = random.nextInt(MAX_OUTSTANDING - pending.size() + 1); detached > 0; detached--) {
                reports.posted(node, ++lastId[node]);
                ct.async().read(words[place]).detach();
            }
            long before = lastId[node];
            barrier.tryAwait(before, CompletionGrade.LOCAL, Long.MAX_VALUE);
            for (int i = 0; i < MANY && pending.size() < MAX_OUTSTANDING; i++) {
                reports.posted(node, ++lastId[node]);
                ct.async().read(words[place]).await();
                reports.learned(node, lastId[node]);
            }
            if (random.nextBoolean()) {
                long id = random.nextLong(1 + before);
                barrier.await(id, CompletionGrade.LOCAL);
                reports.awaited(node, id);
            }
        }

        void finish() {
            while (!pending.isEmpty()) {
                awaitFuture();
            }
            while (reports.mustCome()) {
                check(sleepUntilAnyCompletes(Long.MAX_VALUE), "no completion is reported");
            }
            ct.async().awaitAll();
            learnedOfAll();
            checkAllIsComplete();
            check(!sleepUntilAnyCompletes(0), "a completion is reported although the thread has learned of all");
        }
    }
}
