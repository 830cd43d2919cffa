package dev.remus.structures;

import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;
import dev.remus.record.Atomic;
import dev.remus.record.Codec;
import dev.remus.record.RemoteRecord;

/**
 * A bounded queue for any number of producers and consumers, whose cost does not depend on how many there are.
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
 * #dequeue} from an empty one waits for another thread: one that stalls or dies is overtaken. FULL and EMPTY are exact:
 * at some moment of the call, there were {@code capacity} items, or none. (If a thread has been about to take an item
 * while others used the ring 63 times, an enqueue in flight may count as an item for FULL.)
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
 * of all items are READ. Blocks come from the Memory Node of the ring, or where there is room: then an enqueue takes 3,
 * and a dequeue 4.
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
    /**
     * How often an operation looks before it closes the position that another one has claimed. A dequeue that has done
     * so looks twice as often at the next one, since otherwise it might overtake the same producer again and again.
     */
    private static final int PATIENCE = 4;

    private static final int MOST_PATIENCE = 256;

    /** A thread that has found no cell for its item in so many turns of all of them will find none. */
    private static final long MOST_TURNS = 1_000;

    /** A thread that waits looks at what all threads use only so often. */
    private static final int LOOKS_AT_ALL = 16;

    /** A view of an item's block. */
    private static final class Item<T> extends RemoteRecord {
        private final Atomic<T> value;

        Item(Codec<T> codec) {
            value = field(codec);
        }
    }

    private final TurnRing This;
    private final TurnWords words;
    private final TurnAccess ring;
    private final Codec<T> codec;
    private Item<T> fresh;
    private Item<T> taken;

    /** False while an operation runs, and so after one that ended with an exception. */
    private boolean isSettled = true;

    // ------------------------------------------------------------------------------------------------ enqueue

    @Override
    public boolean tryEnqueue(T item, ComputeThread ct) {
        begin(ct);
        boolean isEnqueued = mayHaveRoom(ct) && append(item, false, ct);
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
        long position = claimWith(item, ct);
        for (long tries = 0; tries < MOST_TURNS * This.length(); tries++) {
            if (waits) {
                awaitRoom(position, ct);
            } else if (!hasRoom(position, ct)) {
                ring.close(position, words.over(This.turn(position) - 1), ct);
                fresh.free(ct);
                return false;
            }
            if (ring.put(position, fresh.pointer(), ct)) {
                return true;
            }
            ct.pause();
            position = ring.claimTail(ct);
        }
        throw new IllegalStateException(this + ": no cell is left, since too many threads were lost in it");
    }

    /** Writes the item to a block, which is placed when this returns, and claims a position. */
    private long claimWith(T item, ComputeThread ct) {
        fresh.at(ct.allocateOn(ring.memoryNode(), fresh.bytes()));
        fresh.value.stage(item, ct);
        if (ring.isBeside(fresh.pointer())) {
            Sequence sequence = ct.sequence();
            fresh.storeStagedIn(sequence);
            return ring.claimTail(sequence);
        }
        fresh.storeStaged(ct);
        return ring.claimTail(ct);
    }

    // ------------------------------------------------------------------------------------------------ room

    /** Whether there may be room, before a position is claimed in vain. */
    private boolean mayHaveRoom(ComputeThread ct) {
        return isNear(ring.tail(), ring.head()) || hasRoom(ring.lookAtTail(ct), ct);
    }

    private boolean isNear(long position, long head) {
        return position - head < This.capacity();
    }

    /**
     * Whether fewer than {@code capacity} positions before this one have an item or may get one. If not, there are
     * {@code capacity} items now.
     */
    private boolean hasRoom(long position, ComputeThread ct) {
        for (int looks = 0; ; looks++) {
            if (isNear(position, ring.head()) || isNear(position, ring.lookAtHead(ct))) {
                return true;
            }
            long head = ring.head();
            long items = 0;
            long open = 0;
            ring.beginScan();
            for (long p = head; p < position; p++) {
                long word = ring.scan(p, position, ct);
                if (looks >= PATIENCE) {
                    word = ring.close(p, word, ct);
                }
                items += ring.hasItem(p, word) ? 1 : 0;
                open += ring.isOpen(p, word) ? 1 : 0;
            }
            if (items + open < This.capacity()) {
                return true;
            }
            if ((items >= This.capacity() || looks > PATIENCE) && ring.lookAtHead(ct) == head) {
                return false;
            }
            ct.pause();
        }
    }

    private void awaitRoom(long position, ComputeThread ct) {
        for (int looks = 1; !isNear(position, ring.head()) && !isNear(position, ring.lookAtHead(ct)); looks++) {
            if (looks % LOOKS_AT_ALL == 0) {
                ring.lookAtTail(ct);
                if (hasRoom(position, ct)) {
                    return;
                }
            }
            ct.pause();
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
        for (int patience = PATIENCE; ; ) {
            long position = ring.claimHead(ct);
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

    /** Waits for the item of a position, until its turn is over or patience ends. Returns the word of its cell. */
    private long await(long position, int patience, boolean waits, ComputeThread ct) {
        int looksInVain = 0;
        for (int looks = 0; ; looks++) {
            boolean looksAtTail = !waits || looks % LOOKS_AT_ALL == 0 || position < ring.tail();
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
        taken.at(words.pointer(word));
        Sequence sequence = ct.sequence();
        boolean isFetched = ring.isBeside(taken.pointer());
        if (isFetched) {
            taken.fetchIn(sequence, ct);
        }
        isFetched &= ring.remove(position, word, sequence, ct);
        if (!isFetched) {
            taken.fetch(ct);
        }
        T item = taken.value.fetched();
        taken.free(ct);
        return item;
    }

    // ------------------------------------------------------------------------------------------------ making and
    // ending

    /**
     * Makes an empty queue in remote memory.
     *
     * @param capacity how many items have room, 1 to 2^28
     * @param codec of the items
     * @throws IllegalArgumentException also if positions would come again after less than 2^40, which only a cluster
     *     with terabytes can have
     */
    public static RdmaPtr<TurnRing> create(int capacity, Codec<?> codec, ComputeThread ct) {
        return create(capacity, codec, 0, TurnWords.AHEAD_BITS, ct);
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
        this.words = this.This.words(ct);
        this.ring = new TurnAccess(this.This, words, toString(), ct);
        this.codec = codec;
        this.fresh = new Item<>(codec);
        this.taken = new Item<>(codec);
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
            fresh = new Item<>(codec);
            taken = new Item<>(codec);
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
                taken.at(words.pointer(word));
                taken.free(ct);
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
