// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import static dev.remus.fabric.Completion.flushed;
import static dev.remus.fabric.Completion.refused;
import static dev.remus.fabric.Completion.success;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.await.Await;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that the Memory Node refuses, and their effect on their lane. */
interface ConformanceOfBounds extends FabricUnderTest {
    /** Segment 1 follows segment 0, if a fabric places them side by side. */
    @ParameterizedTest
    @ValueSource(
            longs = {
                TestEndpoints.SEGMENT_BYTES,
                TestEndpoints.SEGMENT_BYTES + 8L,
                2L * TestEndpoints.SEGMENT_BYTES,
                -8,
                -TestEndpoints.SEGMENT_BYTES,
                1L << 32,
                1L << 48,
                Long.MAX_VALUE - 7,
                Long.MAX_VALUE - 15,
                Long.MIN_VALUE
            })
    default void everyOperationOutsideTheSegmentIsRefusedAndChangesNothing(long offset) {
        MemoryEndpoint memory = cluster().memory();
        TestClient client = cluster().client(1);
        refusesAll(client, client.segment(0), offset, 8);
        refusesAll(client, client.segment(1), offset, 8);
        assertAllZero(memory);
    }

    @Test
    default void aTransferAcrossTheEndOfTheSegmentIsRefusedAsAWhole() {
        MemoryEndpoint memory = cluster().memory();
        TestClient client = cluster().client(1);
        refusesAll(client, client.segment(0), TestEndpoints.SEGMENT_BYTES - 8L, 16);
        refusesAll(client, client.segment(0), TestEndpoints.SEGMENT_BYTES - 4096L, 8192);
        refusesAll(client, client.segment(0), 8, TestEndpoints.SEGMENT_BYTES);
        refusesAll(client, client.segment(0), -8, 16);
        refusesAll(client, client.segment(0), Long.MAX_VALUE - 7, 4096);
        assertAllZero(memory);
    }

    @Test
    default void aWrongKeyIsRefused() {
        MemoryEndpoint memory = cluster().memory();
        TestClient client = cluster().client(1);
        RemoteSegment s = client.segment(0);
        for (int wrong : List.of(s.rkey() + 1, ~s.rkey(), s.rkey() ^ 1 << 31)) {
            refusesAll(client, new RemoteSegment(0, 0, s.bytes(), s.address(), wrong), 64, 8);
        }
        assertAllZero(memory);
    }

    @Test
    default void aSegmentDescribedAsLargerIsStillRefusedBeyondItsEnd() {
        MemoryEndpoint memory = cluster().memory();
        TestClient client = cluster().client(1);
        RemoteSegment s = client.segment(0);
        RemoteSegment larger = new RemoteSegment(0, 0, 1L << 40, s.address(), s.rkey());
        refusesAll(client, larger, TestEndpoints.SEGMENT_BYTES, 8);
        assertAllZero(memory);
    }

    @Test
    default void anUnknownSegmentIsRefused() {
        MemoryEndpoint memory = cluster().memory();
        TestClient client = cluster().client(1);
        for (int index : new int[] {2, 63, -1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            refusesAll(client, new RemoteSegment(0, index, TestEndpoints.SEGMENT_BYTES, 0, 12_345), 64, 8);
        }
        assertAllZero(memory);
    }

    @Test
    default void aRefusedRequestCompletesWithIdZeroWhenItIsUnsignalled() {
        cluster().memory();
        TestClient client = cluster().client(1);
        LocalBuffer local = client.endpoint().allocateLocal(64);
        Chain chain = new Chain(1).write(client.segment(0), -8, local, 0, 8);
        assertThat(Completion.of(client.lane(0), chain, 1)).containsExactly(refused(0));
        assertThat(client.lane(0).isBroken()).isTrue();
    }

    @Test
    default void requestsBeforeARefusedOneAreExecutedAndLaterOnesAreFlushed() {
        MemoryEndpoint memory = cluster().memory();
        TestClient client = cluster().client(1);
        LocalBuffer local = client.endpoint().allocateLocal(64);
        RemoteSegment segment = client.segment(0);
        Chain chain = new Chain(6);
        chain.fetchAndAdd(segment, 64, 1, local, 0);
        chain.fetchAndAdd(segment, 64, 1, local, 0).signalled(1);
        chain.fetchAndAdd(segment, TestEndpoints.SEGMENT_BYTES, 1, local, 8)
                .fenced()
                .signalled(2);
        chain.fetchAndAdd(segment, 72, 1, local, 16).fenced().signalled(3);
        chain.write(segment, 80, local, 0, 8);
        chain.read(segment, 64, local, 24, 8).signalled(4);
        assertThat(Completion.of(client.lane(0), chain, 5))
                .containsExactly(success(1), refused(2), flushed(3), flushed(0), flushed(4));
        assertThat(memory.get(0, 64)).isEqualTo(2);
        assertThat(memory.get(0, 72)).isZero();
        assertThat(memory.get(0, 80)).isZero();
        assertThat(local.getLong(24)).isZero();
    }

    @Test
    default void aBrokenLaneFlushesEveryRequestUntilItIsReconnected() {
        MemoryEndpoint memory = cluster().memory();
        TestClient client = cluster().client(1);
        LocalBuffer local = client.endpoint().allocateLocal(64);
        Lane lane = client.lane(0);
        breakLane(client, 0);
        for (int id = 1; id <= 3; id++) {
            Chain chain = new Chain(2).fetchAndAdd(client.segment(0), 64, 1, local, 0);
            chain.fetchAndAdd(client.segment(0), 64, 1, local, 0).signalled(id);
            assertThat(Completion.of(lane, chain, 2)).containsExactly(flushed(0), flushed(id));
        }
        lane.reconnect();
        assertThat(lane.isBroken()).isFalse();
        assertThat(client.caller(0).fetchAndAdd(0, 64, 1)).isZero();
        assertThat(memory.get(0, 64)).isEqualTo(1);
    }

    @Test
    default void aLaneHasItsFullDepthAgainAfterReconnecting() {
        MemoryEndpoint memory = cluster().memory();
        TestClient client = cluster().client(1);
        LocalBuffer local = client.endpoint().allocateLocal(64);
        Lane lane = client.lane(0);
        Chain chain = new Chain(lane.depth());
        for (int round = 0; round < 3; round++) {
            chain.clear();
            for (int i = 0; i < lane.depth() - 1; i++) {
                chain.fetchAndAdd(client.segment(0), 64, 1, local, 0);
            }
            chain.read(client.segment(0), -8, local, 8, 8);
            assertThat(Completion.of(lane, chain, 1)).containsExactly(refused(0));
            lane.reconnect();
        }
        assertThat(memory.get(0, 64)).isEqualTo(3L * (lane.depth() - 1));
    }

    @Test
    default void nothingPostedBeforeALaneBrokeArrivesAfterItWasReconnected() {
        cluster().memory();
        TestClient client = cluster().client(1);
        LocalBuffer local = client.endpoint().allocateLocal(64);
        Lane lane = client.lane(0);
        for (int round = 1; round <= 20; round++) {
            local.putLong(0, round);
            Chain chain = new Chain(2).write(client.segment(0), 64, local, 0, 8);
            chain.read(client.segment(0), -8, local, 8, 8).signalled(1);
            assertThat(Completion.of(lane, chain, 1)).containsExactly(refused(1));
            lane.reconnect();
            assertThat(client.caller(1).read(0, 64)).isEqualTo(round); // on another lane, at once
        }
    }

    @Test
    default void aBrokenLaneDoesNotHarmTheOthers() {
        cluster().memory();
        TestClient client = cluster().client(1);
        Caller other = cluster().caller(2);
        breakLane(client, 0);
        for (int i = 1; i < TestEndpoints.LANES; i++) {
            assertThat(client.lane(i).isBroken()).isFalse();
            client.caller(i).write(0, 64, i);
            assertThat(other.read(0, 64)).isEqualTo(i);
        }
        assertThat(client.lane(0).isBroken()).isTrue();
        assertThat(client.link().isLost()).isFalse();
    }

    @Test
    default void reconnectDoesNotWaitAndRequiresAllCompletionsToBePolled() {
        cluster().memory();
        TestClient client = cluster().client(1);
        LocalBuffer local = client.endpoint().allocateLocal(64);
        Lane lane = client.lane(0);
        Chain chain = new Chain(2).read(client.segment(0), -8, local, 0, 8).signalled(1);
        chain.read(client.segment(0), 0, local, 0, 8).signalled(2);
        lane.post(chain);
        Completions single = new Completions(1);
        Await.until("the first completion", () -> lane.poll(single) == 1);
        assertThatThrownBy(lane::reconnect).isInstanceOf(IllegalStateException.class);
        assertThat(Completion.await(lane, 1)).containsExactly(flushed(2));
        lane.reconnect();
        assertThat(lane.isBroken()).isFalse();
    }

    @Test
    default void reconnectDoesNothingOnAnUnbrokenLane() {
        cluster().memory();
        TestClient client = cluster().client(1);
        LocalBuffer local = client.endpoint().allocateLocal(64);
        client.lane(0)
                .post(new Chain(1)
                        .fetchAndAdd(client.segment(0), 64, 1, local, 0)
                        .signalled(1));
        client.lane(0).reconnect();
        assertThat(Completion.await(client.lane(0), 1)).containsExactly(success(1));
        assertThat(client.caller(0).read(0, 64)).isEqualTo(1);
    }

    private static void breakLane(TestClient client, int lane) {
        LocalBuffer local = client.endpoint().allocateLocal(8);
        Chain chain = new Chain(1).read(client.segment(0), -8, local, 0, 8).signalled(99);
        assertThat(Completion.of(client.lane(lane), chain, 1)).containsExactly(refused(99));
        assertThat(client.lane(lane).isBroken()).isTrue();
    }

    /** Each operation at such a place is refused and leaves local memory unchanged. Reconnects in between. */
    private static void refusesAll(TestClient client, RemoteSegment segment, long offset, int length) {
        LocalBuffer local = client.endpoint().allocateLocal(length);
        Lane lane = client.lane(0);
        Chain chain = new Chain(1);
        for (Operation operation : Operation.values()) {
            if (length > 8 && operation != Operation.READ && operation != Operation.WRITE) {
                continue;
            }
            local.putLong(0, 0x5A5A);
            chain.clear();
            switch (operation) {
                case READ -> chain.read(segment, offset, local, 0, length);
                case WRITE -> chain.write(segment, offset, local, 0, length);
                case COMPARE_AND_SWAP -> chain.compareAndSwap(segment, offset, 0, 1, local, 0);
                case FETCH_AND_ADD -> chain.fetchAndAdd(segment, offset, 1, local, 0);
            }
            assertThat(Completion.of(lane, chain.signalled(6), 1)).containsExactly(refused(6));
            assertThat(local.getLong(0)).isEqualTo(0x5A5A);
            lane.reconnect();
        }
    }

    private static void assertAllZero(MemoryEndpoint memory) {
        for (int segment = 0; segment < memory.segments(); segment++) {
            for (long offset = 0; offset < memory.segmentBytes(); offset += 8) {
                assertThat(memory.get(segment, offset)).isZero();
            }
        }
    }
}
