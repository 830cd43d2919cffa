// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.record.Drawing;
import dev.remus.record.DrawnRecord;
import dev.remus.record.RecordPart;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRecord;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The fields of the nodes of an ordered map, for drawings. {@link TreeNode} READs them without a view. */
final class DrawnTree {
    private static final int SEAL_SHIFT = 48;

    private DrawnTree() {}

    /** A node of a level, 0 for a leaf. */
    static RemoteRecord node(int level, int words, int entries) {
        return level == 0 ? new Leaf(words, entries) : new Inner(level, words, entries);
    }

    private static List<RemoteLong> words(int words, Supplier<RemoteLong> field) {
        return Stream.generate(field).limit(words).toList();
    }

    private static final class Slot extends RecordPart {
        final List<RemoteLong> key;
        final RemoteLong value;
        final RemoteLong seal;

        Slot(RemoteRecord in, int words) {
            super(in);
            key = words(words, this::longField);
            value = longField();
            seal = longField();
        }

        void draw(Drawing drawing) {
            key.forEach(word -> drawing.usedIf(word, seal, TreeNode::isPresent));
            drawing.usedIf(value, seal, TreeNode::isPresent).text(seal, Slot::text);
        }

        private static String text(long seal) {
            return (TreeNode.isPresent(seal) ? "present, " : "empty, ") + Long.toHexString(seal >>> SEAL_SHIFT) + "…";
        }
    }

    @SuppressWarnings("unused") // all fields are drawn by their names
    private abstract static class Node extends RemoteRecord implements DrawnRecord {
        private final int level;
        private final RemoteLong lock = longField();
        private final RemoteLong state = longField();
        private final List<RemoteLong> low;
        private final List<RemoteLong> high;
        private final RemoteLong link;
        final List<Slot> slots;

        Node(int level, int words, int entries) {
            this.level = level;
            low = words(words, this::longField);
            high = words(words, this::longField);
            link = longField();
            slots = Stream.generate(() -> new Slot(this, words)).limit(entries).toList();
        }

        /** Another node of the same map. */
        final RemoteRecord other(int otherLevel) {
            return node(otherLevel, low.size(), slots.size());
        }

        @Override
        public void draw(Drawing drawing) {
            drawing.text(state, TreeNode::stateText).link(link, TreeNode::linked, next -> other(level));
            high.forEach(word -> drawing.usedIf(word, link, next -> TreeNode.linked(next) != 0));
            slots.forEach(slot -> slot.draw(drawing));
        }
    }

    private static final class Leaf extends Node {
        Leaf(int words, int entries) {
            super(0, words, entries);
        }
    }

    private static final class Inner extends Node {
        private final int below;

        Inner(int level, int words, int entries) {
            super(level, words, entries);
            below = level - 1;
        }

        @Override
        public void draw(Drawing drawing) {
            super.draw(drawing);
            slots.forEach(slot -> drawing.child(slot.value, child -> child, child -> other(below)));
        }
    }
}
