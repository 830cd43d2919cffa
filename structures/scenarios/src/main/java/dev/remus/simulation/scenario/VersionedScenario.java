// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import static dev.remus.simulation.scenario.ModelledWords.check;

import dev.remus.lock.RemoteLock;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;
import dev.remus.record.RemoteRef;
import dev.remus.record.VersionedRecord;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * Threads read versioned records while others change them, one at a time under a lock, or replace them by new ones. The
 * words of a consistent read must be of one moment, and no older than what was stored before the read began. A read
 * that fails must leave nothing fetched. The holder of the lock has no rival, so its reads must succeed.
 *
 * @param threads the number of threads, which is even
 * @param operations the number of reads and changes of each
 */
public record VersionedScenario(int threads, int operations) implements Scenario {
    private static final int WORDS = 6;
    private static final int READS_AT_MOST = 4;

    /** Rejects parameters that cannot be run. */
    public VersionedScenario {
        if (operations < 1) {
            throw new IllegalArgumentException(operations + " operations: needs at least one");
        }
    }

    /** A record whose words are all equal at any moment. */
    private static final class Equal extends VersionedRecord {
        final RemoteLongArray words = longArrayField(WORDS);
    }

    /** The lock is in the same block, behind the pointer to the record. */
    private static final class Holder extends RemoteRecord {
        final RemoteRef<Equal> current = refField();
        final RemoteLong lock = longField();
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        Run run = new Run();
        new SimulatedCluster(Clusters.drawn(threads, schedule.choices(-1)).build(), schedule)
                .prepared(run::prepare)
                .run(ct -> {
                    Worker worker = new Worker(run, schedule.choices(ct.id()), ct);
                    for (int i = 0; i < operations; i++) {
                        worker.work();
                    }
                });
    }

    /** The state that the threads of one run share. */
    private final class Run {
        /** By record: the last value that a change has begun to store, and the last that is stored. */
        private final Map<Long, Long> begun = new HashMap<>();

        private final Map<Long, Long> stored = new HashMap<>();
        private long stamp;

        void prepare(ComputeThread ct) {
            if (ct.id() == 0) {
                RemoteLock lock = new RemoteLock(threads);
                lock.allocate(ct);
                lock.init(ct);
                Equal first = new Equal();
                create(first, ct);
                Holder holder = new Holder();
                holder.allocate(ct);
                holder.lock.store(lock.pointer(), ct);
                holder.current.store(first, ct);
                ct.root().set(new RdmaPtr<>(holder.pointer()));
            }
        }

        void create(Equal fresh, ComputeThread ct) {
            fresh.allocate(ct);
            stage(fresh, begin(fresh), ct);
            fresh.storeNew(ct);
            end(fresh);
        }

        private long begin(Equal changed) {
            begun.put(changed.pointer(), ++stamp);
            return stamp;
        }

        private void end(Equal changed) {
            stored.put(changed.pointer(), latest(changed));
        }

        /** The last value that a change has begun to store. */
        long latest(Equal record) {
            return Objects.requireNonNull(begun.get(record.pointer()), "created");
        }

        /** The last value that is stored. */
        long stored(Equal record) {
            return Objects.requireNonNull(stored.get(record.pointer()), "created");
        }

        private static void stage(Equal changed, long value, ComputeThread ct) {
            for (int i = 0; i < WORDS; i++) {
                changed.words.stage(i, value, ct);
            }
        }

        void change(Equal changed, ComputeThread ct) {
            stage(changed, begin(changed), ct);
            changed.storeConsistent(ct);
            end(changed);
        }
    }

    /** One thread. */
    private final class Worker {
        private final Run run;
        private final SplittableRandom random;
        private final ComputeThread ct;
        private final Holder holder = new Holder();
        private final RemoteLock lock = new RemoteLock(threads);
        private final Equal view = new Equal();

        /** By record: the value that this thread has read last. */
        private final Map<Long, Long> seen = new HashMap<>();

        Worker(Run run, SplittableRandom random, ComputeThread ct) {
            this.run = run;
            this.random = random;
            this.ct = ct;
            holder.at(ct.root().get().raw());
            lock.at(holder.lock.load(ct));
        }

        void work() {
            view.at(holder.current.load(ct));
            if (random.nextInt(3) > 0) {
                int reads = 1 + random.nextInt(READS_AT_MOST);
                while (reads > 0 && !read()) {
                    reads--;
                    ct.pause();
                }
                return;
            }
            lock.acquire(ct);
            view.at(holder.current.load(ct));
            boolean isNew = random.nextInt(4) == 0;
            if (isNew) {
                run.create(view, ct); // the view has the copy, and so the version, of another record
                holder.current.store(view, ct);
            }
            if (!isNew || random.nextBoolean()) {
                check(read(), ct + " has the lock, and cannot read the record");
            }
            run.change(view, ct);
            lock.release(ct);
        }

        /** Returns whether the record could be read. */
        private boolean read() {
            long atLeast = Math.max(run.stored(view), seen.getOrDefault(view.pointer(), 0L));
            if (!view.fetchConsistent(ct)) {
                checkNothingIsFetched();
                return false;
            }
            long value = view.words.fetched(0);
            for (int i = 1; i < WORDS; i++) {
                check(
                        view.words.fetched(i) == value,
                        "word " + i + " is " + view.words.fetched(i) + ", and word 0 is " + value);
            }
            check(
                    value >= atLeast && value <= run.latest(view),
                    "the words are " + value + ", although " + atLeast + " was stored before the read began");
            seen.put(view.pointer(), value);
            return true;
        }

        private void checkNothingIsFetched() {
            boolean isRefused = false;
            try {
                view.words.fetched(0);
            } catch (IllegalStateException e) {
                isRefused = true;
            }
            check(isRefused, "the READ has failed, and its words count as fetched");
        }
    }
}
