// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.Chain;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.RemoteSegment;
import java.util.ArrayList;
import java.util.List;
import net.openhft.chronicle.core.UnsafeMemory;
import org.junit.jupiter.api.Test;

/** How the device gets requests: with which flags, and how many at once. */
class SendQueueTest {
    /** {@code send_flags} of {@code ibv_send_wr}, and its bit {@code IBV_SEND_FENCE}. */
    private static final int SEND_FLAGS = 32;

    private static final int NEXT = 8;

    private static final int IBV_SEND_FENCE = 1;
    private static final int IBV_SEND_SIGNALED = 2;
    private static final int IBV_SEND_INLINE = 8;

    private final LocalBuffer local = LocalBuffer.unregistered(64);
    private final RemoteSegment segment = new RemoteSegment(0, 0, 4096, 0, 1);

    private Chain chain() {
        return new Chain(3)
                .fetchAndAdd(segment, 64, 1, local, 0)
                .write(segment, 72, local, 8, 8)
                .fenced()
                .fetchAndAdd(segment, 64, 1, local, 16)
                .fenced()
                .signalled(1);
    }

    private static int[] flags(boolean fencesByWaiting, Chain chain) {
        return flags(new SendQueue(4, fencesByWaiting, 0), chain);
    }

    /** The flags of the requests of the first chain that a queue gets. */
    private static int[] flags(SendQueue queue, Chain chain) {
        queue.add(chain);
        int[] flags = new int[chain.size()];
        for (int i = 0; i < flags.length; i++) {
            flags[i] = UnsafeMemory.MEMORY.readInt(queue.requests().address(i) + SEND_FLAGS);
        }
        return flags;
    }

    @Test
    void aCardGetsTheFenceOfEachFencedRequest() {
        assertThat(flags(false, chain())).containsExactly(0, IBV_SEND_FENCE, IBV_SEND_FENCE | IBV_SEND_SIGNALED);
    }

    @Test
    void theDataOfAShortWriteIsPartOfTheRequest() {
        Chain chain = new Chain(3)
                .write(segment, 0, local, 0, 16)
                .write(segment, 64, local, 0, 24)
                .read(segment, 8, local, 0, 8);
        assertThat(flags(new SendQueue(4, false, 16), chain)).containsExactly(IBV_SEND_INLINE, 0, 0);
    }

    @Test
    void aDeviceWithoutInlineDataGetsNone() {
        assertThat(flags(false, new Chain(1).write(segment, 0, local, 0, 8))).containsExactly(0);
    }

    @Test
    void aWriteBehindAFenceTakesItsDataWhenTheFenceHasEnded() {
        SendQueue queue = new SendQueue(4, false, 64);
        Chain chain = new Chain(3)
                .read(segment, 0, local, 0, 8)
                .write(segment, 64, local, 8, 8)
                .fenced()
                .write(segment, 72, local, 0, 8) // what the READ has brought
                .signalled(1);
        assertThat(flags(queue, chain)).containsExactly(0, IBV_SEND_FENCE, IBV_SEND_SIGNALED);
        queue.retireUpTo(2);
        queue.add(new Chain(1).write(segment, 72, local, 0, 8));
        assertThat(UnsafeMemory.MEMORY.readInt(queue.requests().address(3) + SEND_FLAGS))
                .as("no fence is outstanding")
                .isEqualTo(IBV_SEND_INLINE);
    }

    @Test
    void softRoceGetsNoFence() {
        assertThat(flags(true, chain())).containsExactly(0, 0, IBV_SEND_SIGNALED);
    }

    @Test
    void chainsThatWereAddedTogetherRingOneDoorbell() throws Exception {
        SendQueue queue = new SendQueue(8, false, 0);
        List<Integer> lists = new ArrayList<>();
        queue.add(new Chain(1).read(segment, 0, local, 0, 8));
        queue.add(chain());
        assertThat(queue.isAnyToSubmit()).isTrue();
        queue.submit(list -> lists.add(length(list)));
        assertThat(queue.isAnyToSubmit()).isFalse();
        assertThat(lists).containsExactly(4);
        assertThat(queue.doorbells()).isOne();
    }

    @Test
    void aFenceOfSoftRoceHoldsItsRequestsBackUntilTheMarkHasCompleted() throws Exception {
        SendQueue queue = new SendQueue(8, true, 0);
        List<Integer> lists = new ArrayList<>();
        queue.add(chain());
        queue.submit(list -> lists.add(length(list)));
        assertThat(queue.isAnyToSubmit()).as("the mark is outstanding").isFalse();
        assertThat(lists).as("the atomic and the mark").containsExactly(2);
        queue.markHasCompleted(list -> lists.add(length(list)));
        assertThat(lists).as("the WRITE and the second atomic").containsExactly(2, 2);
        assertThat(queue.submitted()).isEqualTo(queue.next());
    }

    /** How many requests a list has. */
    private static int length(long list) {
        int length = 0;
        for (long at = list; at != 0; at = UnsafeMemory.MEMORY.readLong(at + NEXT)) {
            length++;
        }
        return length;
    }
}
