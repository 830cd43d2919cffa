// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page8;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Drawing;
import dev.remus.record.DrawnRecord;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;

/**
 * A small queue of 64-bit integers for many producers and one consumer.
 *
 * <p>Linearizable: an enqueue takes effect when it takes its position, a dequeue when it finds the item there. Both
 * block. A producer that dies between taking its position and announcing its item stops the queue.
 */
public class SmallQueue {
    // #region shared
    /** The data that all handles share. Item p is in block p modulo the number of blocks. */
    public static final class Shared extends RemoteRecord implements DrawnRecord {
        final RemoteLong claimed = longField(); // the next number that no producer has taken
        final RemoteLong released = longField(); // all below it have been dequeued
        final RemoteLongArray states; // 1 + the number of the item that is in the block
        final RemoteLongArray items;

        Shared(int capacity) {
            states = longArrayField(capacity);
            items = longArrayField(capacity);
        }

        @Override
        public void draw(Drawing drawing) {
            drawing.ring(states, items).position(released).position(claimed);
        }
    }

    final Shared This;
    final int capacity;
    private long next; // the number that the consumer waits for
    // #endregion shared

    // #region create
    /** Makes an empty queue in remote memory. */
    public static RdmaPtr<Shared> create(int capacity, ComputeThread ct) {
        Shared shared = new Shared(capacity);
        shared.allocate(ct);
        shared.claimed.store(0, ct);
        shared.released.store(0, ct);
        for (int block = 0; block < capacity; block++) {
            shared.states.store(block, 0, ct); // no item is there: number 0 would be 1
        }
        return new RdmaPtr<>(shared.pointer());
    }

    /** Makes a thread's own handle to a queue that was created with this capacity. */
    public SmallQueue(RdmaPtr<Shared> This, int capacity) {
        this.This = new Shared(capacity);
        this.This.at(This);
        this.capacity = capacity;
    }
    // #endregion create

    // #region enqueue
    /** Adds an item, once there is room. */
    public final void enqueue(long item, ComputeThread ct) {
        publish(This.claimed.fetchAdd(1, ct), item, ct);
    }

    /** Puts an item where its number belongs, when its turn has come. */
    final void publish(long number, long item, ComputeThread ct) {
        while (number - This.released.load(ct) >= capacity) {
            ct.pause();
        }
        int block = (int) (number % capacity);
        This.items.store(block, item, ct);
        // The item is placed now: a thread that sees the state sees the item.
        This.states.store(block, number + 1, ct);
    }
    // #endregion enqueue

    // #region dequeue
    /** Takes the next item, once it is there. Only one thread may do this, with one handle. */
    public final long dequeue(ComputeThread ct) {
        int block = (int) (next % capacity);
        while (This.states.load(block, ct) != next + 1) {
            ct.pause();
        }
        long item = This.items.load(block, ct);
        next++;
        This.released.fetchAdd(1, ct);
        return item;
    }
    // #endregion dequeue

    /** Gives the memory back. No thread may use the queue meanwhile or afterwards. */
    public final void destroy(ComputeThread ct) {
        This.free(ct);
    }
}
