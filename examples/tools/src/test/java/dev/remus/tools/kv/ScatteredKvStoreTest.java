// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.NavigableSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ScatteredKvStoreTest {
    private static final int KEYS = 100_000;
    private static final int PARTS = 64;

    @Test
    void keysThatFollowOneAnotherAreSpreadEvenlyOverAllIntegersAndNoTwoMeet() {
        NavigableSet<Long> places = new TreeSet<>();
        int[] parts = new int[PARTS];
        for (long key = 0; key < KEYS; key++) {
            long place = ScatteredKvStore.place(key);
            places.add(place);
            assertThat(ScatteredKvStore.key(place)).isEqualTo(key);
            parts[(int) (place >>> Long.SIZE - 6)]++;
        }
        assertThat(places).hasSize(KEYS);
        for (int part : parts) {
            assertThat(part).isBetween(KEYS / PARTS * 9 / 10, KEYS / PARTS * 11 / 10);
        }
    }

    @Test
    void allOperationsOnAKeyUseTheSamePlace() throws Exception {
        try (HeapPeer peer = new HeapPeer(KvMap.TREE)) {
            KvStore map = KvMap.TREE.arranged(peer.connect());
            assertThat(map.put(5, 50)).isEqualTo(KvStore.MISSING);
            assertThat(map.get(5)).isEqualTo(50);
            assertThat(map.replace(5, 50, 51)).isTrue();
            assertThat(map.scan(5, 10)).isEqualTo(1);
            assertThat(peer.connect().get(ScatteredKvStore.place(5))).isEqualTo(51);
            assertThat(map.remove(5)).isEqualTo(51);
        }
    }
}
