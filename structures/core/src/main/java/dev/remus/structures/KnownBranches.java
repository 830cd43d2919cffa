// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.node.ComputeThread;
import dev.remus.node.NodeObjects;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The copies of inner nodes of an ordered map that the threads of a Compute Node share, by the pointers of the nodes.
 * So once a thread has READ an inner node, each of them finds its children without a round trip. The number of copies
 * is bounded: when the bound is reached, all are forgotten.
 *
 * <p>Readers take no lock. They search a sparse table, in which a place stays with one inner node until a new table
 * replaces this one. A monitor admits one thread at a time that changes the table; it waits for nothing meanwhile.
 *
 * <p>A copy is stored with release semantics, or before the volatile WRITE of a new table, and read with acquire
 * semantics. So a reader sees all words of the copy. Over shared memory, where READs are loads, it also sees what the
 * maker of the copy saw: the nodes that the copy names. Over RDMA, the READ of the maker had returned by then, so these
 * nodes were placed, and each READ that is posted later returns them.
 *
 * <p>Which copies a thread may use, {@link TreeCache} decides. A thread may replace a copy by an older one, which costs
 * other threads round trips.
 */
final class KnownBranches {
    private static final int FIRST = 16;

    /** At least so many places for each copy. */
    private static final int SPARSE = 2;

    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;
    private static final int HIGH_BITS = 32;
    private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(TreeBranch[].class);

    private final long stamp;
    private final int capacity;

    private volatile @Nullable TreeBranch[] places = new TreeBranch[FIRST];

    /** The number of places that are not empty. Guarded by this. */
    private int used;

    /** The address of a map, which another one may have after it was destroyed, and the most copies. */
    private record Key(long map, int capacity) {}

    /** What is remembered of the latest map at an address. */
    private static final class Latest {
        private @Nullable KnownBranches known;

        synchronized KnownBranches of(long stamp, int capacity) {
            KnownBranches latest = known;
            if (latest == null || latest.stamp != stamp) {
                latest = new KnownBranches(stamp, capacity);
                known = latest;
            }
            return latest;
        }
    }

    private KnownBranches(long stamp, int capacity) {
        this.stamp = stamp;
        this.capacity = capacity;
    }

    /**
     * The one that the threads of a node share for a map, if they were given the same capacity, which is not 0.
     *
     * @param stamp tells the map from others that have had the same memory
     */
    static KnownBranches ofNode(long map, long stamp, int capacity, ComputeThread ct) {
        return NodeObjects.of(ct, new Key(map, capacity), Latest.class, Latest::new)
                .of(stamp, capacity);
    }

    /** The copy of a node, or null. */
    @Nullable
    TreeBranch find(long node) {
        @Nullable TreeBranch[] all = places;
        int mask = all.length - 1;
        int place = first(node) & mask;
        TreeBranch there = (TreeBranch) PLACE.getAcquire(all, place);
        while (there != null && there.pointer() != node) {
            place = place + 1 & mask;
            there = (TreeBranch) PLACE.getAcquire(all, place);
        }
        return there;
    }

    private static int first(long node) {
        return (int) (node * MIX >>> HIGH_BITS);
    }

    /** Publishes a copy, which changes no more, and replaces an earlier one of the same node. */
    synchronized void learn(TreeBranch branch) {
        int place = place(branch, places);
        if (places[place] == null) {
            makeRoom(branch.date());
            used++;
            place = place(branch, places);
        }
        PLACE.setRelease(places, place, branch);
    }

    /** The place of a copy of the same node, or the one where it belongs. */
    private static int place(TreeBranch branch, @Nullable TreeBranch[] in) {
        int mask = in.length - 1;
        int place = first(branch.pointer()) & mask;
        TreeBranch there = in[place];
        while (there != null && there.pointer() != branch.pointer()) {
            place = place + 1 & mask;
            there = in[place];
        }
        return place;
    }

    /** For one more copy, of a given date. */
    private void makeRoom(long date) {
        if (used == capacity) {
            used = 0;
            places = new TreeBranch[places.length];
        } else if (SPARSE * (used + 1) > places.length) {
            renew(date);
        }
    }

    /** Drops copies that are too old, and doubles the table unless these were many. */
    private void renew(long date) {
        @Nullable TreeBranch[] old = places;
        int useful = 0;
        for (TreeBranch branch : old) {
            useful += isUseful(branch, date) ? 1 : 0;
        }
        @Nullable TreeBranch[] fresh = new TreeBranch[2 * useful > used ? 2 * old.length : old.length];
        for (TreeBranch branch : old) {
            if (branch != null && isUseful(branch, date)) {
                fresh[place(branch, fresh)] = branch;
            }
        }
        used = useful;
        places = fresh;
    }

    private static boolean isUseful(@Nullable TreeBranch branch, long date) {
        return branch != null && !branch.isForgotten() && branch.date() >= date;
    }

    /** The number of copies, among them some that are of no use any more. */
    synchronized int count() {
        return used;
    }

    /** Gives local memory back after the map was destroyed. */
    synchronized void forget() {
        used = 0;
        places = new TreeBranch[FIRST];
    }
}
