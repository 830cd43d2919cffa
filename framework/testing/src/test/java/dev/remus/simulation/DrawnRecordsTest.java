// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Drawing;
import dev.remus.record.DrawnRecord;
import dev.remus.record.RecordPart;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;
import dev.remus.simulation.player.PageContent;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** What a page has of records that declare more than fields. */
class DrawnRecordsTest {
    private static final long TAG = 1L << 40;

    /** A ring of three cells, of two words each, and a link with a tag. */
    private static final class Shared extends RemoteRecord implements DrawnRecord {
        final RemoteLong begin = longField();
        final RemoteLong end = longField();
        final RemoteLong root = longField();
        final RemoteLongArray states = longArrayField(3);
        final RemoteLongArray items = longArrayField(3);

        @Override
        public void draw(Drawing drawing) {
            drawing.ring(states, items).position(begin).position(end);
            drawing.link(root, word -> word & ~TAG, word -> new Branch())
                    .text(root, word -> word >= TAG ? "tagged" : "")
                    .text(states, state -> state == 0 ? "free" : "");
        }
    }

    private static final class Slot extends RecordPart {
        final RemoteLong isUsed = longField();
        final RemoteLong child = longField();

        Slot(RemoteRecord in) {
            super(in);
        }
    }

    /** An inner node of a tree, of which no thread has a view. */
    private static final class Branch extends RemoteRecord implements DrawnRecord {
        final RemoteLong next = longField();
        final List<Slot> slots = List.of(new Slot(this), new Slot(this));

        @Override
        public void draw(Drawing drawing) {
            drawing.link(next, word -> word, word -> new Branch());
            slots.forEach(slot -> drawing.child(slot.child, word -> word, word -> new Leaf())
                    .usedIf(slot.child, slot.isUsed, flag -> flag == 1));
        }
    }

    private static final class Leaf extends RemoteRecord {
        @SuppressWarnings("unused") // drawn by its name
        private final RemoteLong key = longField();
    }

    /** Makes a ring with positions 3 to 5, and a tree of a branch and two leaves, the second of which is not used. */
    static void make(Schedule schedule) throws Exception {
        new SimulatedCluster(2, schedule).run(ct -> {
            if (ct.id() == 0) {
                Shared shared = new Shared();
                shared.allocate(ct);
                shared.begin.store(3, ct);
                shared.end.store(5, ct);
                for (int i = 0; i < 3; i++) {
                    shared.states.store(i, i, ct);
                    shared.items.store(i, 10L * i, ct);
                }
                shared.root.store(TAG | branch(ct), ct);
                ct.root().set(new RdmaPtr<>(shared.pointer()));
            }
        });
    }

    private static long branch(ComputeThread ct) {
        long branch = ct.allocate(new Branch().bytes());
        ct.write(branch, RdmaPtr.NULL);
        for (int i = 0; i < 2; i++) {
            long leaf = ct.allocate(Long.BYTES);
            ct.write(leaf, 7 + i);
            ct.write(branch + Long.BYTES * (1 + 2L * i), i == 0 ? 1 : 0);
            ct.write(branch + Long.BYTES * (2 + 2L * i), leaf);
        }
        return branch;
    }

    private final PageContent page;

    DrawnRecordsTest() throws Exception {
        page = new PageContent(
                WatchedRun.of(DrawnRecordsTest::make, Schedule.random(1)).page("title", "run it"));
    }

    /** The fields of the words with a name, in a record of a type. */
    private List<Map<String, Object>> words(String type, String name) {
        return page.table("words").values().stream()
                .map(DrawnRecordsTest::fields)
                .filter(word ->
                        word.get("name").equals(name) && !word.get("box").equals(-1L))
                .filter(word -> page.boxes()
                        .get(((Long) word.get("box")).intValue())
                        .get("type")
                        .equals("DrawnRecordsTest." + type))
                .toList();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> fields(Object word) {
        return (Map<String, Object>) word;
    }

    private String pointerTo(String type) {
        return page.boxes().stream()
                .filter(box -> box.get("type").equals("DrawnRecordsTest." + type))
                .findFirst()
                .orElseThrow()
                .get("pointer")
                .toString();
    }

    @Test
    void aRingHasItsCellsAndTheWordsThatCountPositions() {
        Map<String, Object> ring = fields(page.boxes().stream()
                .filter(box -> box.containsKey("ring"))
                .findFirst()
                .orElseThrow()
                .get("ring"));
        assertThat(ring).containsEntry("cells", 3L);
        assertThat((List<?>) ring.get("positions"))
                .map(pointer -> fields(page.table("words").get(pointer)).get("name"))
                .isEqualTo(List.of("begin", "end"));
        assertThat(words("Shared", "states[2]"))
                .singleElement()
                .satisfies(word -> assertThat(word).containsEntry("cell", 2L));
        assertThat(words("Shared", "items[2]"))
                .singleElement()
                .satisfies(word -> assertThat(word).containsEntry("cell", 2L));
        assertThat(words("Shared", "begin"))
                .singleElement()
                .satisfies(word -> assertThat(word).doesNotContainKey("cell"));
    }

    @Test
    void anEncodedLinkLeadsToARecordOfWhichNoThreadHasAView() {
        String branch = pointerTo("Branch");
        String encoded = Long.toHexString(TAG | Long.parseUnsignedLong(branch, 16));
        assertThat(words("Shared", "root")).singleElement().satisfies(word -> {
            assertThat(fields(word.get("targets"))).containsEntry(encoded, branch);
            assertThat(fields(word.get("texts"))).containsEntry(encoded, "tagged");
        });
        assertThat(words("Branch", "next"))
                .singleElement()
                .satisfies(word -> assertThat(fields(word.get("targets"))).containsEntry("0", "0"));
        assertThat(words("Shared", "states[0]"))
                .singleElement()
                .satisfies(word -> assertThat(fields(word.get("texts"))).containsEntry("0", "free"));
    }

    @Test
    void childrenOfATreeAreDistinguishedFromOtherLinksAndFromWordsThatDoNotCount() {
        assertThat(page.boxes())
                .filteredOn(box -> box.get("type").equals("DrawnRecordsTest.Leaf"))
                .hasSize(2);
        assertThat(words("Branch", "next"))
                .singleElement()
                .satisfies(word -> assertThat(word).containsEntry("child", false));
        Map<String, Object> child = words("Branch", "slots[1].child").get(0);
        assertThat(child).containsEntry("child", true);
        assertThat(child.get("unusedAt"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .contains("0")
                .doesNotContain("1");
        assertThat(fields(page.table("words").get(child.get("flag").toString())))
                .containsEntry("name", "slots[1].isUsed");
    }

    @Test
    void aRingOfArraysOfDifferentLengthsFailsTheWatchedRun() {
        Scenario scenario = schedule -> new SimulatedCluster(2, schedule).run(ct -> {
            Uneven uneven = new Uneven();
            uneven.allocate(ct);
            uneven.one.store(0, 1, ct);
        });
        assertThat(WatchedRun.of(scenario, Schedule.random(1)).finding())
                .map(Finding::cause)
                .get()
                .isInstanceOf(IllegalArgumentException.class)
                .hasFieldOrPropertyWithValue(
                        "message", "a ring of arrays of [1, 2] elements: needs at least one array, and equal lengths");
    }

    private static final class Uneven extends RemoteRecord implements DrawnRecord {
        final RemoteLongArray one = longArrayField(1);
        final RemoteLongArray two = longArrayField(2);

        @Override
        public void draw(Drawing drawing) {
            drawing.ring(one, two);
        }
    }
}
