// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import static dev.remus.simulation.scenario.ModelledWords.check;

import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.ValidatedReads;
import dev.remus.record.RecordCache;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.simulation.scenario.StampCare.Named;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Threads keep copies of records with stamps, while others replace the records, and memory is reused by epochs: for
 * other records, and for data of another kind that leaves the place of the stamp as it was. A record that passes for
 * that of a copy must be the one, for the rest of the operation. One that was there all the while must pass.
 *
 * @param threads the number of threads, which is even
 * @param operations the number of operations of each
 * @param care how stamps are treated
 */
public record StampScenario(int threads, int operations, StampCare care) implements Scenario {
    private static final int SLOTS = 3;

    /** No copy is ever replaced. */
    private static final int CAPACITY = 256;

    /** More quiescent states than a thread passes between two looks at the epoch. */
    private static final int CALLS = 65;

    /** Rejects parameters that cannot be run. */
    public StampScenario {
        if (threads < 2 || threads % 2 != 0 || operations < 1) {
            throw new IllegalArgumentException("threads " + threads + ", operations " + operations
                    + ": needs an even number of threads, and at least one operation");
        }
    }

    /** The scenario with stamps treated as they should be. */
    public static StampScenario shipped(int threads, int operations) {
        return new StampScenario(threads, operations, new StampCare() {});
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        ClusterConfig config = Clusters.drawn(threads, schedule.choices(-1))
                .reclaim(Reclamation.EPOCHS)
                .build();
        Run run = new Run();
        new SimulatedCluster(config, schedule).prepared(run::prepare).run(ct -> {
            Run.Worker worker = run.new Worker(schedule.choices(ct.id()), ct);
            for (int i = 0; i < operations; i++) {
                worker.operate();
                for (int j = 0; j < CALLS; j++) {
                    ct.quiescent();
                }
            }
        });
    }

    /** The state that the threads of one run share. */
    private final class Run {
        /** By block: the name of the record that is there and can be found. */
        private final Map<Long, Long> names = new HashMap<>();

        private long slots;
        private long lastName;

        void prepare(ComputeThread ct) {
            if (ct.id() == 0) {
                slots = ct.allocate(SLOTS * Long.BYTES);
                Named first = new Named();
                for (int i = 0; i < SLOTS; i++) {
                    create(first, ct);
                    ct.write(slots + (long) i * Long.BYTES, first.pointer());
                }
            }
        }

        void create(Named view, ComputeThread ct) {
            view.allocate(ct);
            long name = ++lastName;
            view.name.stage(name, ct);
            view.nameAgain.stage(name, ct);
            care.stage(view, ct);
            view.storeStaged(ct);
            names.put(view.pointer(), name);
        }

        /** One thread. */
        private final class Worker {
            private final SplittableRandom random;
            private final ComputeThread ct;
            private final Named view = new Named();
            private final RecordCache cache = new RecordCache(view, CAPACITY);
            private final ValidatedReads reads = new ValidatedReads();

            /** The records that have a copy. */
            private final List<Long> known = new ArrayList<>();

            Worker(SplittableRandom random, ComputeThread ct) {
                this.random = random;
                this.ct = ct;
            }

            void operate() {
                long slot = slots + random.nextLong(SLOTS) * Long.BYTES;
                switch (random.nextInt(8)) {
                    case 0, 1 -> replace(slot);
                    case 2 -> useOtherwise();
                    case 3, 4 -> keep(ct.read(slot));
                    default -> lookAgain();
                }
            }

            private void replace(long slot) {
                long old = ct.read(slot);
                create(view, ct);
                long created = view.pointer();
                if (ct.compareAndSwap(slot, old, created) == old) {
                    names.remove(old);
                    view.at(old);
                } else {
                    names.remove(created);
                }
                view.fetch(ct);
                care.retire(view, ct);
            }

            /** Fills a block but for the place of the stamp, as data may that has a gap there. */
            private void useOtherwise() {
                view.allocate(ct);
                view.name.store(-1, ct);
                view.nameAgain.store(-2, ct);
                view.schedReclaim(ct);
            }

            private void keep(long pointer) {
                view.at(pointer);
                view.fetch(ct);
                cache.put(view, ct);
                if (!known.contains(pointer)) {
                    known.add(pointer);
                }
            }

            /** Uses a copy as a structure does: without looking for another pointer to the record first. */
            private void lookAgain() {
                if (known.isEmpty()) {
                    return;
                }
                long pointer = known.get(random.nextInt(known.size()));
                view.at(pointer);
                if (!cache.load(view, ct)) {
                    known.remove(pointer); // its stamp was being erased when it was kept
                    return;
                }
                boolean isFresh = cache.loadedEpoch() == ct.reclamationEpoch();
                long name = view.name.fetched();
                reads.begin(ct);
                try (reads) {
                    view.fetch(ct);
                }
                check(!isFresh || view.name.fetched() == name, "a copy of this epoch is of another record");
                if (care.isSame(cache, view, ct)) {
                    checkIs(name);
                    ct.pause();
                    view.fetch(ct);
                    checkIs(name);
                } else {
                    known.remove(pointer);
                    check(
                            !Long.valueOf(name).equals(names.get(pointer)),
                            "record " + name + ", which is still there, does not pass for that of its copy");
                    check(!cache.load(view, ct), "the cache keeps a copy of a record that is gone");
                }
            }

            private void checkIs(long name) {
                check(
                        view.name.fetched() == name && view.nameAgain.fetched() == name,
                        "the record at (" + RdmaPtr.toString(view.pointer()) + ") has the names " + view.name.fetched()
                                + " and " + view.nameAgain.fetched() + ", and passes for record " + name);
            }
        }
    }
}
