// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

/**
 * The textbook lazy list on the Java heap, for comparison with {@link dev.remus.structures.LazyListSet}. Linearizable;
 * {@link #contains} is wait-free, {@link #insert} and {@link #remove} block. The garbage collector reclaims removed
 * nodes. All threads of this JVM may use it.
 *
 * <p>Source: Heller, Herlihy, Luchangco, Moir, Scherer, Shavit, "A Lazy Concurrent List-Based Set Algorithm", OPODIS
 * 2005. The tail is recognised by its identity and never by its key, so all longs can be keys.
 */
public final class HeapLazyListSet {
    /** A node, whose monitor is its lock. */
    private static final class Node {
        private final long key;
        private volatile Node next;
        private volatile boolean marked;

        /** The tail, which points to itself: no search follows it. */
        Node() {
            key = 0;
            next = this;
        }

        Node(long key, Node next) {
            this.key = key;
            this.next = next;
        }
    }

    private final Node tail = new Node();
    private final Node head = new Node(0, tail);

    /** An empty set. */
    public HeapLazyListSet() {}

    /** Whether the key is in the set. */
    public boolean contains(long key) {
        Node curr = head.next;
        while (curr != tail && curr.key < key) {
            curr = curr.next;
        }
        return curr != tail && curr.key == key && !curr.marked;
    }

    /** Adds a key; returns whether it was missing. */
    public boolean insert(long key) {
        while (true) {
            Node pred = before(key);
            Node curr = pred.next;
            synchronized (pred) {
                synchronized (curr) {
                    if (isValid(pred, curr, key)) {
                        boolean missing = curr == tail || curr.key != key;
                        if (missing) {
                            pred.next = new Node(key, curr);
                        }
                        return missing;
                    }
                }
            }
        }
    }

    /** Removes a key; returns whether it was present. */
    public boolean remove(long key) {
        while (true) {
            Node pred = before(key);
            Node curr = pred.next;
            synchronized (pred) {
                synchronized (curr) {
                    if (isValid(pred, curr, key)) {
                        boolean found = curr != tail && curr.key == key;
                        if (found) {
                            curr.marked = true;
                            pred.next = curr.next;
                        }
                        return found;
                    }
                }
            }
        }
    }

    /** The last node before the key's position. */
    private Node before(long key) {
        Node pred = head;
        Node curr = pred.next;
        while (curr != tail && curr.key < key) {
            pred = curr;
            curr = curr.next;
        }
        return pred;
    }

    /**
     * Whether two locked nodes are adjacent, neither is removed, and the key belongs between them. The key is checked
     * because {@code curr} was read after the search and may have been inserted meanwhile.
     */
    private boolean isValid(Node pred, Node curr, long key) {
        return !pred.marked && !curr.marked && pred.next == curr && (curr == tail || curr.key >= key);
    }

    /**
     * Walks the list and checks it while no other thread uses it.
     *
     * @return the number of keys
     * @throws IllegalStateException if keys are not in ascending order, or a marked node is reachable
     */
    public long checkedSize() {
        long size = 0;
        Node pred = head;
        for (Node curr = head.next; curr != tail; curr = curr.next) {
            if (curr.marked) {
                throw new IllegalStateException("the node of key " + curr.key + " is marked but still reachable");
            }
            if (pred != head && pred.key >= curr.key) {
                throw new IllegalStateException("key " + curr.key + " is behind key " + pred.key);
            }
            size++;
            pred = curr;
        }
        return size;
    }
}
