// SPDX-License-Identifier: Apache-2.0
/**
 * Records in remote memory: a class declares its fields once, and its code reads like that of an ordinary class with
 * explicit loads and stores.
 *
 * <pre>{@code
 * static final class Node extends RemoteRecord {
 *     final RemoteLong key = longField();
 *     final RemoteRef<Node> next = refField();
 * }
 *
 * Node node = new Node();            // a local view; allocates nothing remote
 * node.allocate(ct);                 // a block in remote memory, to which the view moves
 * node.key.store(42, ct);
 * node.at(node.next.load(ct));       // the same view, now at the next node
 * }</pre>
 *
 * <p>A view is a local object that can be moved from record to record, so a traversal allocates nothing. It belongs to
 * one thread.
 *
 * <p>Each load and store is a round trip. To save round trips, a view fetches or stores the whole record in one, and
 * {@link dev.remus.record.RecordCache} keeps fetched records:
 *
 * <pre>{@code
 * node.fetch(ct);                    // one READ
 * if (node.key.fetched() < 42) {     // from the view's copy
 *     node.at(node.next.fetched());
 * }
 * }</pre>
 *
 * <p>{@link dev.remus.record.RemoteRecord} specifies what such a copy guarantees, and the alternative where that is too
 * little.
 *
 * <p>A structure that reuses blocks before all threads have forgotten their pointers needs {@link
 * dev.remus.record.TaggedRef} against ABA. A {@link dev.remus.record.RecordPart} is a nested record, a {@link
 * dev.remus.record.RemoteUnion} has variants, and {@link dev.remus.record.RemoteElements} are arrays. {@link
 * dev.remus.record.Codecs} takes classes that marshal themselves by Chronicle Bytes.
 *
 * <p>A {@link dev.remus.record.DrawnRecord} describes to tools what its words mean, beyond their names.
 *
 * <p>Depends on {@code dev.remus.memory}, {@code dev.remus.node} and the local memory of {@code dev.remus.fabric}.
 */
@NullMarked
package dev.remus.record;

import org.jspecify.annotations.NullMarked;
