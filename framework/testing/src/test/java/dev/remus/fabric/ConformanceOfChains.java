// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import static dev.remus.fabric.Completion.success;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Chains of work requests: their order, their completions, and placement. */
interface ConformanceOfChains extends FabricUnderTest {
    @Test
    default void idsComeBackUnchanged() {
        cluster().memory();
        TestClient client = cluster().client(1);
        LocalBuffer local = client.endpoint().allocateLocal(64);
        Chain chain = new Chain(1);
        for (long id : new long[] {1, 0, -1, Long.MAX_VALUE, Long.MIN_VALUE, 0x1234_5678_9ABC_DEF0L}) {
            chain.clear().read(client.segment(0), 0, local, 0, 8).signalled(id);
            assertThat(Completion.of(client.lane(0), chain, 1)).containsExactly(success(id));
        }
    }

    @Test
    default void eachOfTheFourOperationsCompletesWhenItIsSignalled() {
        cluster().memory();
        TestClient client = cluster().client(1);
        RemoteSegment segment = client.segment(0);
        LocalBuffer local = client.endpoint().allocateLocal(64);
        Chain chain = new Chain(4);
        chain.write(segment, 0, local, 0, 8).signalled(1);
        chain.read(segment, 0, local, 8, 8).signalled(2);
        chain.compareAndSwap(segment, 64, 0, 1, local, 16).signalled(3);
        chain.fetchAndAdd(segment, 64, 1, local, 24).signalled(4);
        assertThat(Completion.of(client.lane(0), chain, 4))
                .containsExactly(success(1), success(2), success(3), success(4));
    }

    @Test
    default void anUnsignalledRequestThatSucceedsNeverCompletes() {
        MemoryEndpoint memory = cluster().memory();
        TestClient client = cluster().client(1);
        RemoteSegment segment = client.segment(0);
        LocalBuffer local = client.endpoint().allocateLocal(64);
        Chain chain = new Chain(5)
                .write(segment, 0, local, 0, 8)
                .fetchAndAdd(segment, 64, 1, local, 8)
                .compareAndSwap(segment, 72, 0, 1, local, 16)
                .read(segment, 0, local, 24, 8)
                .fetchAndAdd(segment, 64, 1, local, 32)
                .signalled(9);
        assertThat(Completion.of(client.lane(0), chain, 1)).containsExactly(success(9));
        assertThat(memory.get(0, 64)).isEqualTo(2);
        assertThat(memory.get(0, 72)).isEqualTo(1);
    }

    @Test
    default void completionsOfALaneComeInTheOrderPosted() {
        cluster().memory();
        TestClient client = cluster().client(1);
        LocalBuffer local = client.endpoint().allocateLocal(8192);
        Lane lane = client.lane(0);
        int n = Math.min(lane.depth(), 16);
        Chain chain = new Chain(1);
        for (int id = 1; id <= n; id++) {
            int length = id % 3 == 0 ? 4096 : 8; // a longer one must not be overtaken
            chain.clear().read(client.segment(0), 0, local, 0, length).signalled(id);
            lane.post(chain);
        }
        assertThat(Completion.await(lane, n))
                .containsExactlyElementsOf(LongStream.rangeClosed(1, n)
                        .mapToObj(Completion::success)
                        .toList());
    }

    @Test
    default void chainsThatArePostedToStartTogetherAreExecutedInTheOrderPosted() {
        MemoryEndpoint memory = cluster().memory();
        TestClient client = cluster().client(1);
        LocalBuffer local = client.endpoint().allocateLocal(64);
        Lane lane = client.lane(0);
        Chain chain = new Chain(2);
        for (int i = 1; i <= 4; i++) {
            local.putLong(8L * i, i);
            chain.clear().write(client.segment(0), 64, local, 8L * i, 8).read(client.segment(0), 64, local, 0, 8);
            assertThat(lane.tryPostMore(chain.signalled(i))).isTrue();
        }
        lane.start();
        assertThat(Completion.await(lane, 4)).containsExactly(success(1), success(2), success(3), success(4));
        assertThat(local.getLong(0)).isEqualTo(4);
        assertThat(memory.get(0, 64)).isEqualTo(4);
    }

    @Test
    default void aPollOrAnotherPostStartsWhatWasPostedToStartTogether() {
        cluster().memory();
        TestClient client = cluster().client(1);
        LocalBuffer local = client.endpoint().allocateLocal(64);
        Lane lane = client.lane(0);
        Chain chain =
                new Chain(1).fetchAndAdd(client.segment(0), 64, 1, local, 0).signalled(1);
        assertThat(lane.tryPostMore(chain)).isTrue();
        assertThat(Completion.await(lane, 1)).containsExactly(success(1));
        assertThat(lane.tryPostMore(chain)).isTrue();
        lane.post(chain.clear().fetchAndAdd(client.segment(0), 64, 1, local, 8).signalled(2));
        assertThat(Completion.await(lane, 2)).containsExactly(success(1), success(2));
        // A later atomic may overtake an earlier one.
        assertThat(List.of(local.getLong(0), local.getLong(8))).containsExactlyInAnyOrder(1L, 2L);
    }

    @Test
    default void lanesHaveTheirOwnCompletions() {
        cluster().memory();
        TestClient client = cluster().client(1);
        LocalBuffer local = client.endpoint().allocateLocal(64);
        for (int i = 0; i < TestEndpoints.LANES; i++) {
            client.lane(i)
                    .post(new Chain(1)
                            .read(client.segment(0), 0, local, 8L * i, 8)
                            .signalled(100 + i));
        }
        for (int i = TestEndpoints.LANES - 1; i >= 0; i--) {
            assertThat(Completion.await(client.lane(i), 1)).containsExactly(success(100 + i));
        }
    }

    @Test
    default void fencedAtomicsOfAChainTakeEffectInTheOrderPosted() {
        cluster().memory();
        TestClient client = cluster().client(1);
        LocalBuffer local = client.endpoint().allocateLocal(8 * 16);
        Chain chain = new Chain(16);
        for (int i = 0; i < 16; i++) {
            chain.fetchAndAdd(client.segment(0), 64, 1L << i, local, 8L * i).fenced();
        }
        Completion.of(client.lane(0), chain.signalled(1), 1);
        for (int i = 0; i < 16; i++) {
            assertThat(local.getLong(8L * i)).isEqualTo((1L << i) - 1);
        }
    }

    @Test
    default void theLastOfTwoWritesToAWordStays() {
        cluster().memory();
        TestClient client = cluster().client(1);
        LocalBuffer local = client.endpoint().allocateLocal(64);
        RemoteSegment segment = client.segment(0);
        Chain chain = new Chain(3);
        for (long i = 1; i <= 500; i++) {
            local.putLong(0, i);
            local.putLong(8, -i);
            chain.clear().write(segment, 64, local, 0, 8).write(segment, 64, local, 8, 8);
            Completion.of(client.lane(0), chain.read(segment, 64, local, 16, 8).signalled(i), 1);
            assertThat(local.getLong(16)).isEqualTo(-i);
        }
    }

    @Test
    default void aWriteIsPlacedOnceALaterReadOfItsLaneHasCompletedWhereverThatReads() {
        MemoryEndpoint memory = cluster().memory();
        TestClient client = cluster().client(1);
        Caller other = cluster().caller(2);
        LocalBuffer local = client.endpoint().allocateLocal(64);
        Chain chain = new Chain(2);
        for (long i = 1; i <= 500; i++) {
            local.putLong(0, i);
            chain.clear().write(client.segment(0), 64, local, 0, 8).read(client.segment(1), 0, local, 8, 8);
            Completion.of(client.lane(0), chain.signalled(i), 1);
            assertThat(other.read(0, 64)).isEqualTo(i);
            assertThat(memory.get(0, 64)).isEqualTo(i);
        }
    }

    @Test
    default void aWriteIsPlacedOnceALaterAtomicOfItsLaneHasCompleted() {
        cluster().memory();
        TestClient client = cluster().client(1);
        Caller other = cluster().caller(2);
        LocalBuffer local = client.endpoint().allocateLocal(64);
        Chain chain = new Chain(1);
        for (long i = 1; i <= 500; i++) {
            local.putLong(0, i);
            client.lane(0).post(chain.clear().write(client.segment(0), 64, local, 0, 8));
            chain.clear().fetchAndAdd(client.segment(1), 0, 1, local, 8).signalled(i);
            Completion.of(client.lane(0), chain, 1);
            assertThat(other.read(0, 64)).isEqualTo(i);
        }
    }

    @Test
    default void aFencedWriteDoesNotReachTheReadBeforeIt() {
        cluster().memory();
        TestClient client = cluster().client(1);
        LocalBuffer local = client.endpoint().allocateLocal(64);
        RemoteSegment segment = client.segment(0);
        Chain chain = new Chain(3);
        for (long i = 1; i <= 1000; i++) {
            local.putLong(0, i);
            chain.clear().read(segment, 64, local, 8, 8);
            chain.write(segment, 64, local, 0, 8).fenced();
            chain.read(segment, 64, local, 16, 8).signalled(i);
            Completion.of(client.lane(0), chain, 1);
            assertThat(local.getLong(8)).isEqualTo(i - 1);
            assertThat(local.getLong(16)).isEqualTo(i);
        }
    }

    @Test
    default void aFencedAtomicDoesNotReachTheReadBeforeIt() {
        cluster().memory();
        TestClient client = cluster().client(1);
        LocalBuffer local = client.endpoint().allocateLocal(64);
        RemoteSegment segment = client.segment(0);
        Chain chain = new Chain(2);
        for (long i = 1; i <= 1000; i++) {
            chain.clear().read(segment, 64, local, 8, 8);
            chain.fetchAndAdd(segment, 64, 1, local, 16).fenced().signalled(i);
            Completion.of(client.lane(0), chain, 1);
            assertThat(local.getLong(8)).isEqualTo(i - 1);
            assertThat(local.getLong(16)).isEqualTo(i - 1);
        }
    }

    @Test
    default void aFencedWriteDoesNotReachTheAtomicBeforeIt() {
        cluster().memory();
        TestClient client = cluster().client(1);
        LocalBuffer local = client.endpoint().allocateLocal(64);
        RemoteSegment segment = client.segment(0);
        Chain chain = new Chain(3);
        for (long i = 1; i <= 1000; i++) {
            local.putLong(0, 10 * i);
            chain.clear().fetchAndAdd(segment, 64, 1, local, 8);
            chain.write(segment, 64, local, 0, 8).fenced();
            chain.read(segment, 64, local, 16, 8).signalled(i);
            Completion.of(client.lane(0), chain, 1);
            assertThat(local.getLong(8)).isEqualTo(10 * (i - 1));
            assertThat(local.getLong(16)).isEqualTo(10 * i);
        }
    }

    @Test
    default void aChainMayUseSeveralSegmentsAndSeveralLocalBuffers() {
        MemoryEndpoint memory = cluster().memory();
        TestClient client = cluster().client(1);
        LocalBuffer one = client.endpoint().allocateLocal(8);
        LocalBuffer two = client.endpoint().allocateLocal(16);
        one.putLong(0, 1);
        two.putLong(8, 2);
        Chain chain = new Chain(4)
                .write(client.segment(0), 64, one, 0, 8)
                .write(client.segment(1), 64, two, 8, 8)
                .read(client.segment(1), 64, two, 0, 8)
                .signalled(5);
        Completion.of(client.lane(0), chain, 1);
        assertThat(two.getLong(0)).isEqualTo(memory.get(1, 64)).isEqualTo(2);
        assertThat(memory.get(0, 64)).isEqualTo(1);
    }

    @Test
    default void aChainCanBeFilledAgainAsSoonAsItIsPosted() {
        MemoryEndpoint memory = cluster().memory();
        TestClient client = cluster().client(1);
        LocalBuffer local = client.endpoint().allocateLocal(64);
        Lane lane = client.lane(0);
        int rounds = Math.min(lane.depth() / 2, 32);
        Chain chain = new Chain(2);
        List<Completion> expected = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            chain.clear().fetchAndAdd(client.segment(0), 8L * i, i + 1, local, 0);
            chain.fetchAndAdd(client.segment(1), 8L * i, -i - 1, local, 8).signalled(i);
            lane.post(chain);
            expected.add(success(i));
        }
        chain.clear();
        assertThat(Completion.await(lane, rounds)).isEqualTo(expected);
        for (int i = 0; i < rounds; i++) {
            assertThat(memory.get(0, 8L * i)).isEqualTo(i + 1);
            assertThat(memory.get(1, 8L * i)).isEqualTo(-i - 1);
        }
    }

    @Test
    default void aChainCanBePostedTwiceAndToAnotherLane() {
        MemoryEndpoint memory = cluster().memory();
        TestClient client = cluster().client(1);
        LocalBuffer local = client.endpoint().allocateLocal(64);
        Chain chain =
                new Chain(1).fetchAndAdd(client.segment(0), 64, 1, local, 0).signalled(3);
        Completion.of(client.lane(0), chain, 1);
        Completion.of(client.lane(0), chain, 1);
        Completion.of(client.lane(1), chain, 1);
        assertThat(memory.get(0, 64)).isEqualTo(3);
    }
}
