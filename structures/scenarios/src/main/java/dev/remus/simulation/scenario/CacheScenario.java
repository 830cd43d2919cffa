// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import static dev.remus.simulation.scenario.ModelledWords.check;

import dev.remus.config.ClusterConfig;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.RecordCache;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRecord;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Threads look records up, each through a cache of its own, while others replace and retire them. Their blocks are
 * reused after a barrier. A copy of a field that never changes must be that of the record now in the block, and that of
 * another field one that it has had. A copy that is forgotten or replaced must not be served, nor one of an earlier
 * epoch; one that was kept must be served until then.
 *
 * @param threads the number of threads, which is even
 * @param operations the number of look-ups and replacements of each
 */
public record CacheScenario(int threads, int operations) implements Scenario {
    private static final int SLOTS = 3;
    private static final int BETWEEN = 4;
    private static final int MAX_CAPACITY_LOG2 = 3;

    /** As many records replace none of them, even if all belong to one bucket of the cache. */
    private static final int BUCKET = 4;

    /** More than a cache holds before it grows. */
    private static final int MANY = 120;

    private static final int MANY_ONE_IN = 6;
    private static final int LARGE_CACHES = 24;

    /** How many of those records are for each cache but the first, so that its buckets fill up unevenly. */
    private static final int KEPT_ONE_IN = 3;

    /** Rejects parameters that cannot be run. */
    public CacheScenario {
        if (operations < 1) {
            throw new IllegalArgumentException(operations + " operations: needs at least one");
        }
    }

    /** A record with a name that no other record has had. */
    private static final class Named extends RemoteRecord {
        final RemoteLong name = immutable(longField());
        final RemoteLong changes = longField();
        final RemoteLong nameAgain = immutable(longField());
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        ClusterConfig config = Clusters.drawn(threads, random).build();
        Run run = new Run();
        new SimulatedCluster(config, schedule).prepared(run::prepare).run(ct -> {
            Worker worker = new Worker(run, schedule.choices(ct.id()), ct);
            for (int i = 1; i <= operations; i++) {
                worker.work();
                if (i % BETWEEN == 0) {
                    worker.meet();
                }
            }
            worker.keepMany();
        });
    }

    /** The state that the threads of one run share. */
    private static final class Run {
        /** By block: the name of the record that is there, and how often it has changed. */
        private final Map<Long, Long> names = new HashMap<>();

        private final Map<Long, Long> changes = new HashMap<>();
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
            names.put(view.pointer(), ++lastName);
            changes.put(view.pointer(), 0L);
            view.name.stage(lastName, ct);
            view.changes.stage(change(lastName, 0), ct);
            view.nameAgain.stage(lastName, ct);
            view.storeStaged(ct);
        }

        long name(long block) {
            return Objects.requireNonNull(names.get(block), "created");
        }

        /** The last value that was stored to the field that changes. */
        long lastChange(long block) {
            return change(name(block), Objects.requireNonNull(changes.get(block), "created"));
        }

        /** The value of the field that changes. */
        static long change(long name, long times) {
            return name << 32 | times;
        }
    }

    /** One thread. */
    private static final class Worker {
        private final Run run;
        private final SplittableRandom random;
        private final ComputeThread ct;
        private final Named view = new Named();

        /** A view that keeps its copy from one operation to the next. */
        private final Named kept = new Named();

        private final RecordCache cache;

        /** The blocks that may have a copy in the cache, as of this epoch; all of them have if it is not full. */
        private final Set<Long> copied = new HashSet<>();

        private boolean isComplete = true;

        Worker(Run run, SplittableRandom random, ComputeThread ct) {
            this.run = run;
            this.random = random;
            this.ct = ct;
            this.cache = new RecordCache(view, 1 << random.nextInt(MAX_CAPACITY_LOG2 + 2) >> 1);
        }

        void work() {
            long slot = run.slots + random.nextLong(SLOTS) * Long.BYTES;
            view.at(ct.read(slot));
            switch (random.nextInt(8)) {
                case 0, 1 -> replace(slot);
                case 2 -> {
                    long block = view.pointer();
                    run.changes.merge(block, 1L, Long::sum);
                    view.changes.store(run.lastChange(block), ct);
                }
                case 3 -> {
                    cache.forget(view.pointer(), ct);
                    copied.remove(view.pointer());
                    check(!cache.load(view, ct), "the cache serves a copy that it was to forget");
                }
                default -> lookUp();
            }
            checkKept();
        }

        private void lookUp() {
            boolean isCached = cache.load(view, ct);
            check(!isCached || copied.contains(view.pointer()), "the cache serves a copy of an earlier epoch");
            check(isCached || !isComplete || !copied.contains(view.pointer()), "the cache has lost a copy");
            if (!isCached) {
                view.fetch(ct);
                checkCopy(view);
                check(!cache.isSame(view, ct), "the cache compares a record with a copy that it does not have");
                put();
            } else if (random.nextBoolean()) {
                kept.at(view);
                check(cache.load(kept, ct), "the cache serves a copy once only");
            } else {
                view.fetch(ct);
                check(cache.isSame(view, ct), "the cache takes a record without a stamp for another one");
                put(); // in place of the copy that is there
            }
            checkCopy(view);
        }

        private void put() {
            cache.put(view, ct);
            copied.add(view.pointer());
            if (copied.size() > Math.min(BUCKET, cache.capacity())) {
                isComplete = false;
            }
            check(cache.size() <= cache.capacity(), "the cache holds more records than its capacity");
        }

        /** The fields of the copy are those of the record that is now in the block. */
        private void checkCopy(Named copy) {
            long name = run.name(copy.pointer());
            check(
                    copy.name.fetched() == name && copy.nameAgain.fetched() == name,
                    "the copy has the names " + copy.name.fetched() + " and " + copy.nameAgain.fetched()
                            + ", and the record is " + name);
            long hint = copy.changes.hint();
            check(
                    hint >= Run.change(name, 0) && hint <= run.lastChange(copy.pointer()),
                    "the field of record " + name + " has never been " + Long.toHexString(hint));
        }

        /** A view whose copy is gone, or belongs to another record now, must refuse to return it. */
        private void checkKept() {
            cache.forget(RdmaPtr.NULL, ct); // detects that the epoch has changed
            if (kept.pointer() != RdmaPtr.NULL) {
                try {
                    kept.name.fetched();
                } catch (IllegalStateException e) {
                    kept.at(RdmaPtr.NULL);
                    return;
                }
                check(copied.contains(kept.pointer()), "a view returns a copy that its cache has given up");
                checkCopy(kept);
            }
        }

        private void replace(long slot) {
            long old = view.pointer();
            run.create(view, ct);
            if (random.nextBoolean()) {
                put(); // as a structure does that reads what it has just stored
            }
            if (ct.compareAndSwap(slot, old, view.pointer()) == old) {
                ct.schedReclaim(old, view.bytes());
            } else if (random.nextBoolean()) {
                ct.free(view.pointer(), view.bytes());
                beginEpoch();
            } else {
                ct.schedReclaim(view.pointer(), view.bytes());
            }
        }

        void meet() {
            ct.barrier();
            ct.reclaimDeferred();
            beginEpoch();
        }

        private void beginEpoch() {
            copied.clear();
            isComplete = true;
        }

        /** Fills caches until they grow, and looks everything up. */
        void keepMany() {
            if (ct.id() != 0 || random.nextInt(MANY_ONE_IN) != 0) {
                return;
            }
            RecordCache[] large = new RecordCache[LARGE_CACHES];
            Arrays.setAll(large, i -> new RecordCache(view, 8 * MANY));
            long[] blocks = new long[MANY];
            ct.allocate((1 + random.nextLong(MANY)) * Long.BYTES); // so that pointers, and buckets, differ between runs
            for (int i = 0; i < MANY; i++) {
                run.create(view, ct);
                blocks[i] = view.pointer();
                for (RecordCache each : large) {
                    if (each == large[0] || random.nextInt(KEPT_ONE_IN) == 0) {
                        each.put(view, ct);
                    }
                }
            }
            for (RecordCache each : large) {
                checkMany(each, blocks);
            }
            check(large[0].size() > MANY / 2, large[0].size() + " of " + MANY + " copies are left");
        }

        private void checkMany(RecordCache large, long[] blocks) {
            int found = 0;
            for (long block : blocks) {
                view.at(block);
                if (large.load(view, ct)) {
                    checkCopy(view);
                    found++;
                }
            }
            check(found == large.size(), found + " copies are found of " + large.size());
        }
    }
}
