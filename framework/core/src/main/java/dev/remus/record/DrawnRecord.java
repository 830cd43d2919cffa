// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

/**
 * A record that describes to tools what its words mean, beyond their names: a ring, a tree, or a word that encodes a
 * pointer. It costs nothing while no tool asks.
 *
 * <pre>{@code
 * final class Shared extends RemoteRecord implements DrawnRecord {
 *     final RemoteLong claimed = longField();
 *     final RemoteLong released = longField();
 *     final RemoteLongArray items = longArrayField(8);
 *
 *     public void draw(Drawing drawing) {
 *         drawing.ring(items).position(claimed).position(released);
 *     }
 * }
 * }</pre>
 *
 * <p>A block that the structure READs without a view can be drawn, too: a record that declares its fields is then the
 * target of a {@linkplain Drawing#link(RemoteField, java.util.function.LongUnaryOperator,
 * java.util.function.LongFunction) link}, and is used for nothing else.
 */
@FunctionalInterface
public interface DrawnRecord {
    /**
     * Describes the record. A tool calls this on one view of the type, after its fields have been declared. The view
     * may be anywhere, and the description must not access remote memory.
     */
    void draw(Drawing drawing);
}
