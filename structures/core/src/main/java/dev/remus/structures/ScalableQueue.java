// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;
import dev.remus.record.Codec;
import dev.remus.structures.ItemBlocks.Block;
import java.util.ArrayList;
import java.util.List;

/**
 * A bounded queue for any number of producers and consumers, which do not compete for a word that they have to swap.
 * Give it room for more items than there are threads: with less, positions are often closed and claimed anew.
 *
 * <pre>
 *         head                    tail
 *          |                       |
 *          v                       v
 *   +----+----+----+----+----+----+----+----+
 *   |over|item|item|open|item|item|    |    |   a ring of cells; each position is one turn of a cell
 *   +----+----+----+----+----+----+----+----+
 *                    ^ claimed, and not yet put there
 * </pre>
 *
 * <p>An enqueue writes its item to a block of its own, claims the position at the tail by FETCH_AND_ADD, and puts the
 * block into the position's cell by COMPARE_AND_SWAP. A dequeue claims the position at the head by FETCH_AND_ADD, and
 * takes the block out of its cell. If the item is not there yet, it waits for a moment; then it <em>closes</em> the
 * position, so that nothing is put there any more, and claims another one, as the producer then does. {@link TurnRing}
 * shows what the handles share, {@link TurnWords} how a cell knows which of its turns are over.
 *
 * <p><b>Promises.</b> Linearizable, first in, first out. No operation but {@link #enqueue} into a full queue and {@link
 * #dequeue} from an empty one waits for another thread: one that stalls or dies is overtaken. {@link #tryEnqueue} and
 * {@link #tryDequeue} are obstruction-free, and not lock-free: a dequeue could close the position of a slow enqueue
 * again and again, though it waits longer each time. FULL and EMPTY are exact: at some moment of the call, there were
 * {@code capacity} items, or none. (If a thread has been about to take an item while others used the ring 63 times, an
 * enqueue in flight may count as an item for FULL.) A thread that waits polls a cell for which no other one waits: that
 * of its item, or of the item that has to go first.
 *
 * <p><b>Linearization points.</b> A dequeue: the FETCH_AND_ADD of the position at which it finds its item, or just
 * after that item's enqueue, whichever is later. An enqueue: the FETCH_AND_ADD of the position at which its item is
 * put, or the moment at which room for it was made, whichever is later. EMPTY: the READ of the tail, when it is not
 * above a head that was seen before. FULL: the READ of the head, when it is the same as before {@code capacity}
 * positions behind it were seen to have items; items go only when the head has passed them.
 *
 * <p><b>Why it is right.</b> A cell changes by COMPARE_AND_SWAP and FETCH_AND_ADD only, so nothing late can change it:
 * each new word follows from the one before. Its turns get over in their order, each at most once with an item, and
 * only the dequeue that has claimed a position takes its item. Therefore a block may be freed at once. The item is
 * placed before it is put into a cell, since the FETCH_AND_ADD of the tail follows its WRITE on the same lane. There is
 * room if fewer than {@code capacity} positions from the head on have items or are open: those closed stay so, and all
 * enqueues behind count this position in.
 *
 * <p><b>Death.</b> A producer that dies blocks no thread: its item is in the queue or never will be. The item of a
 * consumer that dies with a position claimed may be lost with it, and the cell is used no more then. There are twice as
 * many cells as items have room, and one more for each thread. A thread that dies costs one block, besides those that
 * its node had allocated.
 *
 * <p>After an {@link OutcomeUnknownException} or another failure of the fabric, it is unknown whether the operation has
 * taken effect; the handle can still be used. A dequeue whose FETCH_AND_ADD failed so may have lost an item; all that
 * follows it is made sure of, however often lanes break.
 *
 * <p><b>Round trips.</b> Without other threads at the same position: enqueue 2, and once in {@code capacity} enqueues 1
 * more to see the head. Dequeue 3; 1 more if it saw no further item when it looked last. EMPTY 1. FULL 4, and the cells
 * of all items are READ. A batch of up to 16: enqueue 2, dequeue 3 or 4. Blocks come from the Memory Node of the ring,
 * or where there is room: then an enqueue takes 3, and a dequeue 4.
 *
 * <p>Source: a ring whose positions are claimed by fetch-and-add, in which dequeues overtake slow enqueues: A. Morrison
 * and Y. Afek, "Fast Concurrent Queues for x86 Processors", PPoPP 2013; with cells that have a turn and refer to their
 * item, so that single words suffice: R. Nikolaev, "A Scalable, Portable, and Memory-Efficient Lock-Free FIFO Queue",
 * DISC 2019. New here: turns that are closed ahead of the item that is still there, so that an enqueue need not look at
 * the head; blocks in place of a second ring of free ones; an exact FULL.
 *
 * @param <T> items
 */
public final class ScalableQueue<T> implements RemoteQueue<T> {
    /** The most that {@link TurnAccess#PATIENCE} grows to. */
    private static final int MOST_PATIENCE = 256;

    /** At most so many items are moved at once: a sequence has room for two operations on each. */
    private static final int MOST_AT_ONCE = Sequence.capacity() / 2;

    /** A thread that has found no cell for its item in so many turns of all of them will find none. */
    private static final long MOST_TURNS = 1_000;

    private final TurnRing This;
    private final TurnWords words;
    private final TurnAccess ring;
    private final TurnRoom room;

    /** The blocks of items on their way into the queue, and out of it. */
    private final ItemBlocks<T> fresh;

    private final ItemBlocks<T> taken;

    /** False while an operation runs, and so after one that ended with an exception. */
    private boolean isSettled = true;

    // ------------------------------------------------------------------------------------------------ enqueue

    @Override
    public boolean tryEnqueue(T item, ComputeThread ct) {
        begin(ct);
        boolean isEnqueued = room.mayBe(ct) && append(item, false, ct);
        isSettled = true;
        return isEnqueued;
    }

    /**
     * Puts an item at the end. Waits for room if need be, in the order of arrival.
     *
     * @throws QueueDestroyedException if the queue is destroyed meanwhile
     * @throws dev.remus.fabric.NodeLostException if a node is lost meanwhile, under {@code --on-node-loss abort}
     */
    public void enqueue(T item, ComputeThread ct) {
        begin(ct);
        append(item, true, ct);
        isSettled = true;
    }

    private boolean append(T item, boolean waits, ComputeThread ct) {
        stage(0, item, ct);
        return put(claim(1, ct), fresh.get(0), waits, ct);
    }

    /** Puts an item at a position, or at a later one if another thread has closed that. */
    private boolean put(long claimed, Block<T> block, boolean waits, ComputeThread ct) {
        long position = claimed;
        for (long tries = 0; tries < MOST_TURNS * This.length(); tries++) {
            if (waits) {
                room.await(position, ct);
            } else if (!room.isFor(position, ct)) {
                ring.close(position, words.over(This.turn(position) - 1), ct);
                block.free(ct);
                return false;
            }
            if (ring.put(position, block.pointer(), ct)) {
                return true;
            }
            ct.pause();
            position = ring.claimTail(1, ct.sequence());
        }
        throw new IllegalStateException(this + ": no cell is left, since too many threads were lost in it");
    }

    /** Begins a new block, and writes the item to it if it is not beside the ring. */
    private void stage(int i, T item, ComputeThread ct) {
        Block<T> block = fresh.get(i);
        block.at(ct.allocateOn(ring.memoryNode(), block.bytes()));
        block.item.stage(item, ct);
        if (!ring.isBeside(block.pointer())) {
            block.storeStaged(ct);
        }
    }

    /** Claims positions, of which this returns the first, with the WRITEs of the blocks beside the ring. */
    private long claim(int count, ComputeThread ct) {
        Sequence sequence = ct.sequence();
        for (int i = 0; i < count; i++) {
            if (ring.isBeside(fresh.get(i).pointer())) {
                fresh.get(i).storeStagedIn(sequence);
            }
        }
        return ring.claimTail(count, sequence);
    }

    /**
     * Enqueues items, like {@link #enqueue} called for each of them at the same time: they arrive in their order, but
     * if this thread is slow, dequeues may overtake some of them, which then arrive behind the others. Up to 16 items
     * cost hardly more than one.
     */
    public void enqueueAll(List<? extends T> items, ComputeThread ct) {
        begin(ct);
        int batch = Math.min(MOST_AT_ONCE, capacity());
        for (int from = 0; from < items.size(); from += batch) {
            int count = Math.min(batch, items.size() - from);
            for (int i = 0; i < count; i++) {
                stage(i, items.get(from + i), ct);
            }
            putAll(claim(count, ct), count, ct);
        }
        isSettled = true;
    }

    /** Puts as many items at once as have room. */
    private void putAll(long first, int count, ComputeThread ct) {
        for (int done = 0; done < count; ) {
            room.await(first + done, ct);
            int end = done + 1;
            while (end < count && room.isNear(first + end)) {
                end++;
            }
            Sequence sequence = ct.sequence();
            for (int i = done; i < end; i++) {
                ring.addPut(first + i, fresh.get(i).pointer(), i, sequence);
            }
            sequence.execute();
            long left = 0; // as bits, since a search for room reuses the places of the results
            for (int i = done; i < end; i++) {
                left |= ring.isPut(first + i, i) ? 0 : 1L << i;
            }
            for (; left != 0; left &= left - 1) {
                int i = Long.numberOfTrailingZeros(left);
                put(first + i, fresh.get(i), true, ct);
            }
            done = end;
        }
    }

    // ------------------------------------------------------------------------------------------------ dequeue

    @Override
    public Dequeued<T> tryDequeue(ComputeThread ct) {
        begin(ct);
        Dequeued<T> dequeued = mayHaveItem(ct) ? take(false, ct) : Dequeued.empty();
        isSettled = true;
        return dequeued;
    }

    /**
     * Takes the item at the front. Waits for one if need be, in the order of arrival.
     *
     * @throws QueueDestroyedException if the queue is destroyed meanwhile
     * @throws dev.remus.fabric.NodeLostException if a node is lost meanwhile, under {@code --on-node-loss abort}
     */
    public T dequeue(ComputeThread ct) {
        begin(ct);
        T item = take(true, ct).item();
        isSettled = true;
        return item;
    }

    /** Whether there may be an item, before a position is claimed in vain. */
    private boolean mayHaveItem(ComputeThread ct) {
        if (ring.head() >= ring.tail()) {
            ring.lookAtBoth(ct);
        }
        return ring.head() < ring.tail();
    }

    private Dequeued<T> take(boolean waits, ComputeThread ct) {
        for (int patience = TurnAccess.PATIENCE; ; ) {
            long position = ring.claimHead(1, ct);
            long word = await(position, patience, waits, ct);
            if (ring.isOpen(position, word)) {
                word = ring.close(position, word, ct);
                patience = Math.min(2 * patience, MOST_PATIENCE);
            }
            if (ring.hasItem(position, word)) {
                return Dequeued.of(takeOut(position, word, ct));
            }
            if (!waits && ring.tail() <= ring.head()) { // the tail was READ after this position was claimed
                return Dequeued.empty();
            }
            ct.pause();
        }
    }

    /**
     * Dequeues some items, like {@link #tryDequeue} called so often at the same time. Up to 16 items cost hardly more
     * than one.
     *
     * @param most at least 1
     * @return the items in their order; none if the queue was empty, and perhaps fewer than there were
     */
    public List<T> tryDequeueAll(int most, ComputeThread ct) {
        if (most < 1) {
            throw new IllegalArgumentException("at most " + most + " items: needs at least 1");
        }
        begin(ct);
        List<T> items = new ArrayList<>();
        while (mayHaveItem(ct)) {
            takeAll((int) Math.min(Math.min(most, MOST_AT_ONCE), ring.tail() - ring.head()), items, ct);
            if (!items.isEmpty()) {
                break;
            }
            ct.pause();
        }
        isSettled = true;
        return items;
    }

    private void takeAll(int count, List<T> items, ComputeThread ct) {
        long first = ring.claimHead(count, ct);
        ring.lookWithTail(first, count, ct);
        long[] seen = new long[count];
        for (int i = 0; i < count; i++) {
            seen[i] = ring.scan(first + i, first + count, ct);
        }
        Sequence sequence = ct.sequence();
        for (int i = 0; i < count; i++) {
            if (isTogether(first + i, seen[i])) {
                addTaking(i, first + i, seen[i], sequence, ct);
            }
        }
        boolean areTaken = ring.tryExecute(sequence, ct);
        for (int i = 0; i < count; i++) {
            if (!isTogether(first + i, seen[i])) {
                takeLater(first + i, seen[i], items, ct);
            } else if (areTaken) {
                items.add(freed(taken.get(i), ct));
            } else {
                items.add(takeSurely(taken.get(i), first + i, seen[i], ct));
            }
        }
    }

    /** Whether an item can be taken in a sequence. */
    private boolean isTogether(long position, long word) {
        return ring.hasItem(position, word) && ring.isBeside(words.pointer(word));
    }

    private void addTaking(int i, long position, long word, Sequence sequence, ComputeThread ct) {
        taken.get(i).at(words.pointer(word));
        taken.get(i).fetchIn(sequence, ct);
        ring.addRemoval(position, word, sequence);
    }

    /** Takes an item of a batch by itself: it was not there, or not beside the ring. */
    private void takeLater(long position, long seen, List<T> items, ComputeThread ct) {
        long word = ring.hasItem(position, seen) ? seen : await(position, TurnAccess.PATIENCE, false, ct);
        if (ring.isOpen(position, word)) {
            word = ring.close(position, word, ct);
        }
        if (ring.hasItem(position, word)) {
            items.add(takeOut(position, word, ct));
        }
    }

    /** Waits for the item of a position, until its turn is over or patience ends. Returns the word of its cell. */
    private long await(long position, int patience, boolean waits, ComputeThread ct) {
        int looksInVain = 0;
        for (int looks = 0; ; looks++) {
            boolean looksAtTail = !waits || looks % TurnAccess.LOOKS_AT_ALL == 0 || position < ring.tail();
            long word = looksAtTail ? ring.lookWithTail(position, ct) : ring.look(position, ct);
            boolean isClaimed = position < ring.tail();
            if (!ring.isOpen(position, word) || (isClaimed ? looksInVain++ == patience : !waits)) {
                return word;
            }
            ct.pause();
        }
    }

    /** Takes the item out of the cell of a position that this thread has claimed. */
    private T takeOut(long position, long word, ComputeThread ct) {
        if (isTogether(position, word)) {
            Sequence sequence = ct.sequence();
            addTaking(0, position, word, sequence, ct);
            if (ring.tryExecute(sequence, ct)) {
                return freed(taken.get(0), ct);
            }
        }
        taken.get(0).at(words.pointer(word));
        return takeSurely(taken.get(0), position, word, ct);
    }

    /** The same step by step. It may be out already. */
    private T takeSurely(Block<T> block, long position, long word, ComputeThread ct) {
        block.fetch(ct);
        ring.remove(position, word, ct);
        return freed(block, ct);
    }

    private T freed(Block<T> block, ComputeThread ct) {
        T item = block.item.fetched();
        block.free(ct);
        return item;
    }

    // ------------------------------------------------------------------------------------------------ making and
    // ending

    /**
     * Makes an empty queue in remote memory.
     *
     * @param capacity how many items have room, 1 to 2^26
     * @param codec of the items
     * @throws IllegalArgumentException also if positions would come again after less than 2^40, which only a cluster
     *     with terabytes can have
     */
    public static RdmaPtr<TurnRing> create(int capacity, Codec<?> codec, ComputeThread ct) {
        return create(capacity, codec, 0, TurnWords.AHEAD_BITS, ct);
    }

    /** The same on a Memory Node, or where the allocation policy selects if that has no room. */
    static RdmaPtr<TurnRing> createOn(int memoryNode, int capacity, Codec<?> codec, ComputeThread ct) {
        return TurnRing.create(capacity, codec, 0, TurnWords.AHEAD_BITS, bytes -> ct.allocateOn(memoryNode, bytes), ct);
    }

    /**
     * Makes an empty queue for tests: of what happens when turns wrap around, without the years that it takes until
     * they do, and when a thread is away for more turns than are counted.
     *
     * @param turn that is over in all cells, of which the lowest {@link #turnBits} bits count
     * @param aheadBits 1 to 6: cells get late if a thread is away for 2^aheadBits - 1 turns
     */
    public static RdmaPtr<TurnRing> create(int capacity, Codec<?> codec, long turn, int aheadBits, ComputeThread ct) {
        if (aheadBits < 1 || aheadBits > TurnWords.AHEAD_BITS) {
            throw new IllegalArgumentException(aheadBits + " bits to count turns: needs 1 to " + TurnWords.AHEAD_BITS);
        }
        return TurnRing.create(capacity, codec, turn, aheadBits, ct);
    }

    /**
     * Makes a thread's handle to a queue.
     *
     * @param This what {@link #create} returned
     * @param codec of the same items as it was created with
     * @throws IllegalArgumentException if there is no such queue, or one for other items
     */
    public ScalableQueue(RdmaPtr<TurnRing> This, Codec<T> codec, ComputeThread ct) {
        this.This = TurnRing.open(This, codec, ct);
        this.words = this.This.words();
        this.ring = new TurnAccess(this.This, words, toString(), ct);
        this.room = new TurnRoom(ring, capacity());
        this.fresh = new ItemBlocks<>(codec);
        this.taken = new ItemBlocks<>(codec);
    }

    /** How many items have room. */
    public int capacity() {
        return This.capacity();
    }

    /** How many bits a turn has in a cluster, if so many count the turns ahead. */
    public static int turnBits(int aheadBits, ComputeThread ct) {
        return new TurnWords(ct.config(), aheadBits).turnBits();
    }

    /** After a failure, outstanding operations may still use the old local memory, and the block: they keep them. */
    private void begin(ComputeThread ct) {
        if (!isSettled) {
            ring.renewLocal(ct);
            fresh.renewLocal();
            taken.renewLocal();
        }
        isSettled = false;
    }

    /**
     * Ends the queue: a thread that waits on it gets a {@link QueueDestroyedException}. No thread may begin an
     * operation afterwards. The items are freed, and the ring is {@linkplain ComputeThread#schedReclaim retired}, since
     * other threads may still be reading it.
     */
    @Override
    public void destroy(ComputeThread ct) {
        for (long p = ring.lookAtHead(ct), end = ring.lookAtTail(ct); p < end; p++) {
            long word = ring.look(p, ct);
            if (ring.hasItem(p, word)) {
                taken.get(0).at(words.pointer(word));
                taken.get(0).free(ct);
            }
        }
        This.destroyed.store(1, ct);
        This.schedReclaim(ct);
    }

    /** Where it is. */
    @Override
    public String toString() {
        return "ScalableQueue at (" + RdmaPtr.toString(This.pointer()) + ")";
    }
}
