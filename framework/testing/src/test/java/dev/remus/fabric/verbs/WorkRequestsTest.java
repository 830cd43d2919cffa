// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import net.openhft.chronicle.core.UnsafeMemory;
import org.junit.jupiter.api.Test;

/** The bytes that C sees. */
class WorkRequestsTest {
    private final WorkRequests requests = new WorkRequests(4);

    private long word(int slot, int offset) {
        return UnsafeMemory.MEMORY.readLong(requests.address(slot) + offset);
    }

    private int half(int slot, int offset) {
        return UnsafeMemory.MEMORY.readInt(requests.address(slot) + offset);
    }

    @Test
    void aReadHasItsFieldsWhereCLooksForThem() {
        requests.set(1, 77, WorkRequests.READ, WorkRequests.SIGNALED);
        requests.setLocal(1, 0x1122_3344_5566_7788L, 24, 0x99AA);
        requests.setRemote(1, -8, 0xBBCC);
        assertThat(word(1, 0)).isEqualTo(77);
        assertThat(word(1, 8)).isZero();
        assertThat(half(1, 24)).isEqualTo(1);
        assertThat(half(1, 28)).isEqualTo(4);
        assertThat(half(1, 32)).isEqualTo(2);
        assertThat(word(1, 40)).isEqualTo(-8);
        assertThat(half(1, 48)).isEqualTo(0xBBCC);
        long sge = word(1, 16);
        assertThat(UnsafeMemory.MEMORY.readLong(sge)).isEqualTo(0x1122_3344_5566_7788L);
        assertThat(UnsafeMemory.MEMORY.readInt(sge + 8)).isEqualTo(24);
        assertThat(UnsafeMemory.MEMORY.readInt(sge + 12)).isEqualTo(0x99AA);
    }

    @Test
    void anAtomicHasItsOperandsAndItsKeyBehindThem() {
        requests.set(0, 1, WorkRequests.COMPARE_AND_SWAP, 0);
        requests.setRemote(0, 4096, 5, -6, -7);
        assertThat(half(0, 28)).isEqualTo(5);
        assertThat(half(0, 32)).as("unsignalled is unsignalled").isZero();
        assertThat(word(0, 40)).isEqualTo(4096);
        assertThat(word(0, 48)).isEqualTo(-6);
        assertThat(word(0, 56)).isEqualTo(-7);
        assertThat(half(0, 64)).isEqualTo(5);
    }

    @Test
    void slotsFormAListInAnyOrder() {
        requests.set(3, 0, WorkRequests.WRITE, 0);
        requests.set(0, 0, WorkRequests.WRITE, 0);
        requests.setNext(3, requests.address(0));
        assertThat(word(3, 8)).isEqualTo(requests.address(0));
        assertThat(word(0, 8)).isZero();
        assertThat(requests.address(3) - requests.address(0)).isEqualTo(3 * 128);
    }

    @Test
    void anEmptyRequestNamesNoLocalMemory() {
        requests.set(2, 0, WorkRequests.WRITE, 0);
        requests.setEmpty(2);
        assertThat(half(2, 24)).isZero();
    }
}
