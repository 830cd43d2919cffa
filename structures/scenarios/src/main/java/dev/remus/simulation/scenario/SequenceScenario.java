// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import static dev.remus.simulation.scenario.ModelledWords.check;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.RemoteFuture;
import dev.remus.node.Sequence;
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
import org.jspecify.annotations.Nullable;

/**
 * Threads publish words by sequences, of which several may be in flight, and observe those of the others. A thread that
 * reads a new state must read the words that were written before it. When a sequence has ended, its WRITEs are visible
 * to all, its results are there, and its local memory is free for other uses. Each addition counts once.
 *
 * <pre>
 *  an area; each thread has two, which may be on different Memory Nodes
 *   0 ... 3      4        5          6           7
 *  +------------+--------+----------+-----------+-------------------+
 *  | data       | state  | swapped  | changes,  | added to by all   |
 *  |            |        |          | added to  | threads           |
 *  +------------+--------+----------+-----------+-------------------+
 *   local memory of a sequence: data, state, results of the atomics, what is read back
 * </pre>
 *
 * @param threads the number of threads, which is even
 * @param rounds the number of sequences and observations of each
 */
public record SequenceScenario(int threads, int rounds) implements Scenario {
    private static final int DATA_WORDS = 4;
    private static final int DATA_BYTES = DATA_WORDS * Long.BYTES;
    private static final int STATE = DATA_BYTES;
    private static final int SWAPPED = STATE + Long.BYTES;
    private static final int CHANGES = SWAPPED + Long.BYTES;
    private static final int SHARED = CHANGES + Long.BYTES;
    private static final int CROWDED = SHARED + Long.BYTES;
    private static final int AREA_BYTES = CROWDED + Long.BYTES;

    // In local memory, behind the data and the state.
    private static final int SWAP_RESULT = SWAPPED;
    private static final int CHANGES_RESULT = CHANGES;
    private static final int SHARED_RESULT = SHARED;
    private static final int READ_BACK = AREA_BYTES;
    private static final int LOCAL_BYTES = READ_BACK + DATA_BYTES;
    private static final long GARBAGE = -1;

    /** More requests than a lane has room for. */
    private static final int CROWD = 300;

    /** Rejects parameters that cannot be run. */
    public SequenceScenario {
        if (rounds < 1) {
            throw new IllegalArgumentException(rounds + " rounds: needs at least one");
        }
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        Run run = new Run();
        ClusterConfig config = Clusters.drawn(threads, schedule.choices(-1)).build();
        new SimulatedCluster(config, schedule).prepared(run::prepare).run(ct -> {
            Worker worker = new Worker(run, schedule.choices(ct.id()), ct);
            for (int i = 0; i < rounds; i++) {
                worker.work();
            }
            worker.endAll();
            if (config.lanes() == 1 && ct.id() == 0) {
                worker.crowd();
            }
            worker.checkMisuse();
            ct.barrier();
            run.checkSum(ct);
        });
    }

    /** The words of one thread on one Memory Node. */
    private static final class Area {
        final long pointer;

        /** The last values that were begun to be published, and that are published. */
        long begun;

        long published;

        long swapped;

        Area(long pointer) {
            this.pointer = pointer;
        }
    }

    /** The state that the threads of one run share. */
    private final class Run {
        private final Area[][] areas = new Area[threads][2];
        private final Set<Long> sums = new HashSet<>();
        private int addedAtMost;

        void prepare(ComputeThread ct) {
            int partner = (ct.id() + threads / 2) % threads;
            areas[ct.id()][0] = new Area(zeroed(ct));
            areas[partner][1] = new Area(zeroed(ct));
        }

        private static long zeroed(ComputeThread ct) {
            long block = ct.allocate(AREA_BYTES);
            for (int i = 0; i < AREA_BYTES; i += Long.BYTES) {
                ct.write(block + i, 0);
            }
            return block;
        }

        /** The number of a counter that is on the same Memory Node as an area; below 0 if there is none. */
        int counterBeside(Area area) {
            for (int i = 0; i < 2; i++) {
                if (RdmaPtr.node(shared(i)) == RdmaPtr.node(area.pointer)) {
                    return i;
                }
            }
            return -1;
        }

        long shared(int i) {
            return areas[0][i].pointer + SHARED;
        }

        void checkSum(ComputeThread ct) {
            long sum = ct.read(shared(0)) + ct.read(shared(1));
            check(
                    sum >= sums.size() && sum <= addedAtMost,
                    "the counters are " + sum + " in all after " + sums.size() + " to " + addedAtMost + " additions");
        }
    }

    /** A sequence that publishes a value, and its local memory. */
    private static final class Publication {
        final LocalBuffer local;
        final Area area;

        /** A counter that it can add to; below 0 if there is none. */
        final int counter;

        long value;
        long swapFinds;
        boolean isAdding;

        @Nullable
        RemoteFuture future;

        Publication(LocalBuffer local, Area area, int counter) {
            this.local = local;
            this.area = area;
            this.counter = counter;
        }
    }

    /** One thread. */
    private final class Worker {
        private final Run run;
        private final SplittableRandom random;
        private final ComputeThread ct;
        private final Publication[] publications = new Publication[2];
        private final LocalBuffer observed;

        Worker(Run run, SplittableRandom random, ComputeThread ct) {
            this.run = run;
            this.random = random;
            this.ct = ct;
            for (int place = 0; place < 2; place++) {
                Area area = run.areas[ct.id()][place];
                publications[place] = new Publication(ct.allocateLocal(LOCAL_BYTES), area, run.counterBeside(area));
            }
            this.observed = ct.allocateLocal(LOCAL_BYTES);
        }

        void work() {
            Publication publication = publications[random.nextInt(2)];
            switch (random.nextInt(4)) {
                case 0 -> observe(run.areas[random.nextInt(threads)][random.nextInt(2)]);
                case 1 -> endAll();
                default -> {
                    if (publication.future != null) {
                        end(publication);
                    }
                    publish(publication);
                }
            }
        }

        // -------------------------------------------------------------------------------------------- publishing

        private void publish(Publication p) {
            p.value = ++p.area.begun;
            for (int i = 0; i <= STATE; i += Long.BYTES) {
                p.local.putLong(i, p.value);
            }
            p.isAdding = p.counter >= 0 && random.nextBoolean();
            run.addedAtMost += p.isAdding ? 1 : 0;
            switch (random.nextInt(3)) {
                case 0 -> {
                    filled(p).execute();
                    checkEnded(p);
                }
                case 1 -> {
                    p.future = filled(p).executeAsync();
                }
                default -> {
                    filled(p).post();
                    ct.place();
                    checkPublished(p);
                    checkResults(p);
                }
            }
        }

        private Sequence filled(Publication p) {
            long area = p.area.pointer;
            Sequence sequence = ct.sequence()
                    .write(area, p.local, 0, DATA_BYTES)
                    .write(area + STATE, p.local, STATE, Long.BYTES)
                    .read(area, p.local, READ_BACK, DATA_BYTES)
                    .fetchAndAdd(area + CHANGES, 1, p.local, CHANGES_RESULT);
            boolean fits = random.nextBoolean();
            p.swapFinds = p.area.swapped;
            sequence.compareAndSwap(area + SWAPPED, fits ? p.area.swapped : GARBAGE, p.value, p.local, SWAP_RESULT);
            p.area.swapped = fits ? p.value : p.area.swapped;
            if (p.isAdding) {
                sequence.fetchAndAdd(run.shared(p.counter), 1, p.local, SHARED_RESULT);
            }
            return sequence;
        }

        void endAll() {
            List<Publication> inFlight = new ArrayList<>();
            for (Publication p : publications) {
                if (p.future != null) {
                    inFlight.add(p);
                }
            }
            Collections.shuffle(inFlight, new Random(random.nextLong()));
            inFlight.forEach(this::end);
        }

        private void end(Publication p) {
            RemoteFuture future = p.future;
            p.future = null;
            if (future != null) {
                future.await();
                checkEnded(p);
            }
        }

        private void checkEnded(Publication p) {
            checkPublished(p);
            checkResults(p);
        }

        /** All that was written is visible, on any lane. */
        private void checkPublished(Publication p) {
            p.area.published = p.value;
            for (int i = 0; i <= STATE; i += Long.BYTES) {
                long found = ct.read(p.area.pointer + i);
                check(found == p.value, "the sequence has ended, but a word is " + found + " instead of " + p.value);
            }
            long swapped = ct.read(p.area.pointer + SWAPPED);
            check(swapped == p.area.swapped, "the word is " + swapped + " instead of " + p.area.swapped);
        }

        /** The results are in local memory; from now on the thread may use it otherwise. */
        private void checkResults(Publication p) {
            for (int i = 0; i < DATA_BYTES; i += Long.BYTES) {
                long found = p.local.getLong(READ_BACK + i);
                check(found == p.value, "READ " + found + " behind a WRITE of " + p.value);
            }
            check(
                    p.local.getLong(SWAP_RESULT) == p.swapFinds,
                    "COMPARE_AND_SWAP of " + p.swapFinds + " found " + p.local.getLong(SWAP_RESULT));
            check(
                    p.local.getLong(CHANGES_RESULT) == p.value - 1,
                    "change " + p.value + " found " + p.local.getLong(CHANGES_RESULT) + " before it");
            if (p.isAdding) {
                long sum = 2 * p.local.getLong(SHARED_RESULT) + p.counter;
                check(run.sums.add(sum), "two additions found the same sum");
            }
            for (int i = 0; i < LOCAL_BYTES; i += Long.BYTES) {
                p.local.putLong(i, GARBAGE);
            }
        }

        // -------------------------------------------------------------------------------------------- observing

        /** READs the state, or the number of changes, and then the data, which must be as new. */
        private void observe(Area area) {
            long atLeast = area.published;
            int first = random.nextBoolean() ? STATE : CHANGES;
            ct.sequence()
                    .read(area.pointer + first, observed, STATE, Long.BYTES)
                    .read(area.pointer, observed, 0, DATA_BYTES)
                    .execute();
            long state = observed.getLong(STATE);
            check(
                    state >= atLeast && state <= area.begun,
                    "the state is " + state + ", but " + atLeast + " to " + area.begun + " were published");
            for (int i = 0; i < DATA_BYTES; i += Long.BYTES) {
                long found = observed.getLong(i);
                check(
                        found >= state && found <= area.begun,
                        "the state is " + state + ", and a word that was written before it is " + found);
            }
        }

        // -------------------------------------------------------------------------------------------- crowding

        /** Posts more than the one lane has room for. Each request is executed once. */
        void crowd() {
            long word = publications[0].area.pointer + CROWDED;
            for (int i = 0; i < CROWD; i++) {
                ct.postFetchAndAdd(word, 1);
            }
            ct.place();
            long found = ct.read(word);
            check(found == CROWD, "of " + CROWD + " posted additions, " + found + " are there");
        }

        // -------------------------------------------------------------------------------------------- misuse

        /**
         * A sequence without operations does nothing. One that is too long, or goes to two Memory Nodes, is refused;
         * what was added before is executed.
         */
        void checkMisuse() {
            ct.place();
            long trips = ct.metrics().roundTrips();
            ct.sequence().execute();
            ct.sequence().post();
            ct.place();
            check(ct.metrics().roundTrips() == trips, "a sequence without operations takes a round trip");
            Publication p = publications[0];
            Sequence sequence = ct.sequence();
            for (int i = 0; i < Sequence.capacity(); i++) {
                p.local.putLong(STATE, p.area.begun);
                sequence.write(p.area.pointer + STATE, p.local, STATE, Long.BYTES);
            }
            check(isRefused(sequence, p.area), "a sequence of more than " + Sequence.capacity() + " operations");
            sequence.execute();
            Area other = publications[1].area;
            sequence = ct.sequence().write(p.area.pointer + STATE, p.local, STATE, Long.BYTES);
            if (RdmaPtr.node(other.pointer) != RdmaPtr.node(p.area.pointer)) {
                check(isRefused(sequence, other), "a sequence to two Memory Nodes");
            }
            sequence.execute();
            long found = ct.read(p.area.pointer + STATE);
            check(found == p.area.begun, "the state is " + found + " instead of " + p.area.begun);
        }

        private boolean isRefused(Sequence sequence, Area area) {
            try {
                sequence.write(area.pointer + STATE, publications[0].local, STATE, Long.BYTES);
                return false;
            } catch (IllegalStateException | IllegalArgumentException e) {
                return true;
            }
        }
    }
}
