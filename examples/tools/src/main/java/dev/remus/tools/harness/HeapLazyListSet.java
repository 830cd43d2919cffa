package dev.remus.tools.harness;

/**
 * The textbook's lazy list, on the Java heap: what {@link dev.remus.structures.LazyListSet} is when there is no remote
 * memory, for comparison. Linearizable; {@link #contains} is wait-free, {@link #insert} and {@link #remove} block. Removed
 * nodes are left to the garbage collector. May be used by all threads of this Java VM.
 *
 * <p>Source: Heller, Herlihy, Luchangco, Moir, Scherer, Shavit, "A Lazy Concurrent List-Based Set Algorithm", OPODIS 2005.
 * The tail is recognised by its identity and never by its key, so all longs can be keys.
 */
public final class HeapLazyListSet {
    /** A node and its lock, which is its monitor. */
    private static final class Node {
        private final long key;
        private volatile Node next;
        private volatile boolean marked;

        /** The tail: nobody looks what comes after it. */
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

    /** Makes an empty set. */
    public HeapLazyListSet() {}

    /** Whether the key is in the set. */
    public boolean contains(long key) {
        Node curr = head.next;
        while (curr != tail && curr.key < key) {
            curr = curr.next;
        }
        return curr != tail && curr.key == key && !curr.marked;
    }

    /** Adds a key; says whether it was missing. */
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

    /** Takes a key out; says whether it was there. */
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

    /** The last node in front of where the key belongs. */
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
     * Whether, with both locked, neither is removed, they are neighbours and the key belongs between them: the second was
     * read anew, and may have been linked in meanwhile.
     */
    private boolean isValid(Node pred, Node curr, long key) {
        return !pred.marked && !curr.marked && pred.next == curr && (curr == tail || curr.key >= key);
    }

    /**
     * Walks through the list while no other thread uses it.
     *
     * @return how many keys there are
     * @throws IllegalStateException if keys are not in ascending order, or a node that is marked can be reached
     */
    public long checkedSize() {
        long size = 0;
        Node pred = head;
        for (Node curr = head.next; curr != tail; curr = curr.next) {
            if (curr.marked) {
                throw new IllegalStateException("the node of key " + curr.key + " is marked and can still be reached");
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
