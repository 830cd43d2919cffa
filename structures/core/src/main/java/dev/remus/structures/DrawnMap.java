// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.record.Drawing;
import dev.remus.record.DrawnRecord;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;

/** The fields of the blocks of a hash map, for drawings. The map READs them without views. */
final class DrawnMap {
    private static final int KEY_SHIFT = 32;

    private DrawnMap() {}

    /** A section of the directory. Of a large one it has the first entries. */
    static final class Section extends RemoteRecord implements DrawnRecord {
        private final RemoteLongArray buckets = longArrayField((int) MapSections.entries(0));
        private final int slots;

        /** @param slots of a bucket */
        Section(int slots) {
            this.slots = slots;
        }

        @Override
        public void draw(Drawing drawing) {
            drawing.link(buckets, bucket -> bucket, bucket -> new Bucket(slots));
        }
    }

    private static final class Bucket extends RemoteRecord implements DrawnRecord {
        private final RemoteLong intake = longField();
        private final RemoteLong split = longField();
        private final RemoteLongArray slots;

        Bucket(int count) {
            slots = longArrayField(count);
        }

        @Override
        public void draw(Drawing drawing) {
            drawing.text(intake, MapWords::intakeText)
                    .link(split, MapWords::pointer, next -> new Bucket(slots.length()))
                    .text(split, word -> "depth " + MapWords.depth(word))
                    .link(slots, slot -> MapWords.isRemoved(slot) ? 0 : MapWords.pointer(slot), slot -> new Entry())
                    .text(slots, MapWords::slotText);
        }
    }

    /** An entry. Of a long one it has the first words. */
    @SuppressWarnings("unused") // all fields are drawn by their names
    private static final class Entry extends RemoteRecord implements DrawnRecord {
        private final RemoteLong hash = longField();
        private final RemoteLong sizes = longField();
        private final RemoteLongArray keyAndValue = longArrayField(MapWords.UNIT / Long.BYTES - 2);

        @Override
        public void draw(Drawing drawing) {
            drawing.text(hash, Long::toHexString)
                    .text(sizes, word -> "key " + (word >>> KEY_SHIFT) + ", value " + (int) word + " bytes");
        }
    }
}
