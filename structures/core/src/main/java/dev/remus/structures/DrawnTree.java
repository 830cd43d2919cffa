package dev.remus.structures;

import dev.remus.record.Drawing;
import dev.remus.record.DrawnRecord;
import dev.remus.record.RecordPart;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRecord;
import java.util.List;
import java.util.stream.Stream;

/** The fields of the nodes of an ordered map, for drawings. {@link TreeNode} READs them without a view. */
final class DrawnTree {
    private static final int SEAL_SHIFT = 48;

    private DrawnTree() {}

    /** A node of a level, 0 for a leaf. */
    static RemoteRecord node(int level, int entries) {
        return level == 0 ? new Leaf(entries) : new Inner(level, entries);
    }

    private static final class Slot extends RecordPart {
        final RemoteLong key = longField();
        final RemoteLong value = longField();
        final RemoteLong seal = longField();

        Slot(RemoteRecord in) {
            super(in);
        }

        void draw(Drawing drawing) {
            drawing.usedIf(key, seal, TreeNode::isPresent)
                    .usedIf(value, seal, TreeNode::isPresent)
                    .text(seal, Slot::text);
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
        private final RemoteLong low = longField();
        private final RemoteLong high = longField();
        private final RemoteLong link = longField();
        final List<Slot> slots;

        Node(int level, int entries) {
            this.level = level;
            slots = Stream.generate(() -> new Slot(this)).limit(entries).toList();
        }

        @Override
        public void draw(Drawing drawing) {
            drawing.text(state, TreeNode::stateText)
                    .usedIf(high, link, next -> TreeNode.linked(next) != 0)
                    .link(link, TreeNode::linked, next -> node(level, slots.size()));
            slots.forEach(slot -> slot.draw(drawing));
        }
    }

    private static final class Leaf extends Node {
        Leaf(int entries) {
            super(0, entries);
        }
    }

    private static final class Inner extends Node {
        private final int below;

        Inner(int level, int entries) {
            super(level, entries);
            below = level - 1;
        }

        @Override
        public void draw(Drawing drawing) {
            super.draw(drawing);
            slots.forEach(slot -> drawing.child(slot.value, child -> child, child -> node(below, slots.size())));
        }
    }
}
