// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.memory.SegmentLayout;
import dev.remus.node.ComputeThread;
import dev.remus.node.SegmentUse;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.MapShape;
import dev.remus.structures.RemoteHashMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * Each thread puts a key of its own into a hash map and removes it again, and so on. All keys have the same hash, and
 * their bucket has room for half of them. So a put is rejected if the bucket is full at some moment of it, and only
 * then. A bucket whose keys have one hash is never split: at the end, no block is there but those of the empty map, and
 * one for an entry that each handle may have in reserve.
 *
 * @param threads the number of threads, which is even
 * @param operations how often each puts its key
 * @param opener makes a thread's handle
 */
public record HashMapCrowdedScenario(int threads, int operations, HashMapScenario.Opener opener) implements Scenario {
    /** Rejects parameters that cannot be run. */
    public HashMapCrowdedScenario {
        if (threads < 2 || threads % 2 != 0 || operations < 1) {
            throw new IllegalArgumentException("threads " + threads + ", operations " + operations
                    + ": needs an even number of threads, and at least one operation");
        }
    }

    /** The scenario with the shipped map. */
    public HashMapCrowdedScenario(int threads, int operations) {
        this(threads, operations, HashMapHandle::longs);
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        Presence presence = new Presence(threads);
        long[] live = {0};
        new SimulatedCluster(threads, schedule)
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        ct.root().set(RemoteHashMap.create(new MapShape(threads / 2, 0), ct));
                        live[0] = SegmentUse.liveBytes(ct);
                    }
                })
                .concluded(ct -> {
                    if (ct.id() == 0) {
                        long left = SegmentUse.liveBytes(ct) - live[0];
                        if (left > (long) threads * SegmentLayout.BLOCK) {
                            throw new AssertionError("the map is empty, but has " + left + " bytes more than at first");
                        }
                        fill(opener.open(ct.root().get(), 0, ct), ct);
                    }
                })
                .run(ct -> {
                    HashMapHandle map = opener.open(ct.root().get(), 0, ct);
                    long key = ct.id();
                    for (long value = 1; value <= operations; value++) {
                        if (put(value, map, presence, ct)) {
                            check(Optional.of(value), map.execute(MapOperation.get(key), ct));
                            check(Optional.of(value), map.execute(MapOperation.remove(key), ct));
                            presence.ends(ct.id());
                        }
                        check(Optional.empty(), map.execute(MapOperation.get(key), ct));
                    }
                });
        presence.judge(threads / 2);
    }

    /** Puts the key of a thread; returns false if that is rejected. */
    private boolean put(long value, HashMapHandle map, Presence presence, ComputeThread ct) {
        presence.begins(ct.id());
        try {
            map.execute(MapOperation.put((long) ct.id(), value), ct);
            return true;
        } catch (IllegalStateException e) {
            presence.isRejected(ct.id());
            return false;
        }
    }

    /** Puts as many keys as there is room for; the next one must be rejected. */
    private void fill(HashMapHandle map, ComputeThread ct) {
        for (long key = 0; key < threads / 2; key++) {
            map.execute(MapOperation.put(key, key), ct);
        }
        try {
            map.execute(MapOperation.put(-1L, 0L), ct);
        } catch (IllegalStateException e) {
            return;
        }
        throw new AssertionError("a key was put into a full bucket of the same hash");
    }

    private static void check(Optional<Long> expected, Optional<Long> found) {
        if (!found.equals(expected)) {
            throw new AssertionError("a key has value " + found + " instead of " + expected);
        }
    }

    /** When each key may have been there. */
    private static final class Presence {
        private static final long OPEN = Long.MAX_VALUE;

        private record Stay(int key, long begin, long end) {}

        private final long[] begins;
        private final List<Stay> stays = new ArrayList<>();
        private final List<Stay> rejected = new ArrayList<>();
        private long now;

        Presence(int keys) {
            begins = new long[keys];
            Arrays.fill(begins, OPEN);
        }

        /** From now on the key may be there. */
        void begins(int key) {
            begins[key] = ++now;
        }

        /** The key is not there any more. */
        void ends(int key) {
            stays.add(ended(key));
        }

        /** The key has never been there. */
        void isRejected(int key) {
            rejected.add(ended(key));
        }

        private Stay ended(int key) {
            Stay stay = new Stay(key, begins[key], ++now);
            begins[key] = OPEN;
            return stay;
        }

        /** At some moment of each put that was rejected, so many other keys must have been there. */
        void judge(int others) {
            for (int key = 0; key < begins.length; key++) {
                if (begins[key] != OPEN) {
                    stays.add(new Stay(key, begins[key], OPEN));
                }
            }
            for (Stay put : rejected) {
                long most = LongStream.concat(
                                LongStream.of(put.begin), stays.stream().mapToLong(Stay::begin))
                        .filter(time -> put.begin <= time && time < put.end)
                        .map(time -> stays.stream()
                                .filter(stay -> stay.begin <= time && time < stay.end)
                                .count())
                        .max()
                        .orElseThrow();
                if (most < others) {
                    throw new AssertionError("key " + put.key + " was rejected, but at most " + most
                            + " others were there at the same moment");
                }
            }
        }
    }
}
