/**
 * Records in remote memory: a class declares its fields once, and reads like an ordinary class with explicit loads and
 * stores.
 *
 * <pre>{@code
 * static final class Node extends RemoteRecord {
 *     final RemoteLong key = longField();
 *     final RemoteRef<Node> next = refField();
 * }
 *
 * Node node = new Node();            // a local view; allocates nothing remote
 * node.allocate(ct);                 // a block in remote memory, and the view looks at it
 * node.key.store(42, ct);
 * node.at(node.next.load(ct));       // the same view, now looking at the next node
 * }</pre>
 *
 * <p>A view is a local object that can be moved from record to record, so a traversal allocates nothing. It belongs to
 * one thread.
 *
 * <p>Depends on {@code dev.remus.memory} and {@code dev.remus.node}.
 */
package dev.remus.record;
