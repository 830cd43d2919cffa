// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import static dev.remus.fabric.Completion.success;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.await.Await;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The number of requests that a lane takes, and chains that it refuses. */
interface ConformanceOfDepth extends FabricUnderTest {
    @Test
    default void aFullLaneRefusesAChainAndPostsNothingOfIt() {
        MemoryEndpoint memory = cluster().memory();
        TestClient client = cluster().client(1);
        LocalBuffer local = client.endpoint().allocateLocal(64);
        Lane lane = client.lane(0);
        Chain full = adding(client, local, lane.depth(), 64);
        lane.post(full.signalled(1));
        assertThat(lane.tryPost(adding(client, local, 1, 72).signalled(2))).isFalse();
        assertThatThrownBy(() -> lane.post(adding(client, local, 1, 72).signalled(2)))
                .isInstanceOf(LaneFullException.class)
                .hasMessageContaining("depth of " + lane.depth());
        assertThat(Completion.await(lane, 1)).containsExactly(success(1));
        assertThat(memory.get(0, 64)).isEqualTo(lane.depth());
        Completion.of(lane, adding(client, local, 1, 80).signalled(3), 1);
        assertThat(memory.get(0, 72)).isZero();
        assertThat(memory.get(0, 80)).isEqualTo(1);
        assertThat(lane.isBroken()).isFalse();
    }

    @Test
    default void aChainThatFitsOnlyPartlyIsNotPostedAtAll() {
        MemoryEndpoint memory = cluster().memory();
        TestClient client = cluster().client(1);
        LocalBuffer local = client.endpoint().allocateLocal(64);
        Lane lane = client.lane(0);
        lane.post(adding(client, local, lane.depth() - 1, 64).signalled(1));
        assertThat(lane.tryPost(adding(client, local, 2, 72).signalled(2))).isFalse();
        lane.post(adding(client, local, 1, 80).signalled(3));
        assertThat(Completion.await(lane, 2)).containsExactly(success(1), success(3));
        assertThat(memory.get(0, 72)).isZero();
        assertThat(memory.get(0, 80)).isEqualTo(1);
    }

    @Test
    default void eachCompletionThatIsPolledMakesRoomForOneRequest() {
        cluster().memory();
        TestClient client = cluster().client(1);
        LocalBuffer local = client.endpoint().allocateLocal(64);
        Lane lane = client.lane(0);
        Chain one = new Chain(1);
        for (int i = 0; i < lane.depth(); i++) {
            lane.post(
                    one.clear().fetchAndAdd(client.segment(0), 64, 1, local, 0).signalled(i));
        }
        Completions single = new Completions(1);
        for (int i = 0; i < 3; i++) {
            int id = i;
            Chain next =
                    one.clear().fetchAndAdd(client.segment(0), 64, 1, local, 0).signalled(-1);
            assertThat(lane.tryPost(next)).isFalse();
            Await.until("completion " + id, () -> lane.poll(single) == 1);
            assertThat(single.id(0)).isEqualTo(id);
            assertThat(lane.tryPost(next)).isTrue();
        }
    }

    @Test
    default void unsignalledRequestsKeepTheirRoomUntilALaterSignalledOneIsPolled() {
        cluster().memory();
        TestClient client = cluster().client(1);
        LocalBuffer local = client.endpoint().allocateLocal(64);
        Lane lane = client.lane(0);
        lane.post(adding(client, local, lane.depth() - 1, 64));
        Chain last = adding(client, local, 1, 64).signalled(1);
        lane.post(last);
        assertThat(lane.tryPost(last)).isFalse();
        assertThat(Completion.await(lane, 1)).containsExactly(success(1));
        Completion.of(lane, adding(client, local, lane.depth(), 64).signalled(2), 1);
        assertThat(local.getLong(0)).isEqualTo(2L * lane.depth() - 1);
    }

    @Test
    default void unsignalledRequestsAloneFillALaneForGood() {
        cluster().memory();
        TestClient client = cluster().client(1);
        LocalBuffer local = client.endpoint().allocateLocal(64);
        Lane lane = client.lane(0);
        lane.post(adding(client, local, lane.depth(), 64));
        assertThat(Completion.pollOnce(lane, new Completions(4))).isEmpty();
        assertThat(lane.tryPost(adding(client, local, 1, 64).signalled(1))).isFalse();
        Completion.of(client.lane(1), adding(client, local, 1, 72).signalled(2), 1);
    }

    @Test
    default void aLaneNeverRunsOutOfRoomWhileItsCompletionsArePolled() {
        cluster().memory();
        TestClient client = cluster().client(1);
        LocalBuffer local = client.endpoint().allocateLocal(64);
        Lane lane = client.lane(0);
        int length = Math.min(7, lane.depth());
        int rounds = 3 * lane.depth();
        for (int i = 0; i < rounds; i++) {
            Completion.of(lane, adding(client, local, length, 64).signalled(i), 1);
        }
        assertThat(local.getLong(0)).isEqualTo((long) length * rounds - 1);
    }

    @Test
    default void aSmallBatchTakesCompletionsInPartsAndLosesNone() {
        cluster().memory();
        TestClient client = cluster().client(1);
        LocalBuffer local = client.endpoint().allocateLocal(64);
        Lane lane = client.lane(0);
        int n = Math.min(lane.depth(), 10);
        Chain chain = new Chain(n);
        List<Completion> expected = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            chain.read(client.segment(0), 0, local, 0, 8).signalled(i);
            expected.add(success(i));
        }
        lane.post(chain);
        Completions batch = new Completions(3);
        List<Completion> found = new ArrayList<>();
        Await.until("all completions", () -> {
            found.addAll(Completion.pollOnce(lane, batch));
            return found.size() >= n;
        });
        assertThat(found).isEqualTo(expected);
    }

    @Test
    default void completionsKeepTheirOrderWhenMoreAreOutstandingThanEverBefore() {
        cluster().memory();
        TestClient client = cluster().client(1);
        LocalBuffer local = client.endpoint().allocateLocal(64);
        Lane lane = client.lane(0);
        int id = 0;
        for (int n = 1; n <= lane.depth(); n = 2 * n + 1) {
            Chain chain = new Chain(n);
            List<Completion> expected = new ArrayList<>();
            for (int i = 0; i < n; i++) {
                chain.read(client.segment(0), 0, local, 0, 8).signalled(++id);
                expected.add(success(id));
            }
            lane.post(chain);
            assertThat(Completion.await(lane, n)).isEqualTo(expected);
        }
    }

    @Test
    default void pollReplacesTheContentsOfTheBatchAndReturnsZeroIfThereAreNoCompletions() {
        cluster().memory();
        Lane lane = cluster().client(1).lane(0);
        Completions batch = new Completions(2);
        batch.add(1, CompletionStatus.SUCCESS);
        batch.add(2, CompletionStatus.SUCCESS);
        assertThat(lane.poll(batch)).isZero();
        assertThat(batch.size()).isZero();
    }

    @Test
    default void anEmptyChainIsRefused() {
        cluster().memory();
        Lane lane = cluster().client(1).lane(0);
        assertThatThrownBy(() -> lane.post(new Chain(1))).isInstanceOf(IllegalArgumentException.class);
        assertThat(lane.isBroken()).isFalse();
    }

    @Test
    default void aChainLongerThanTheDepthIsRefusedAndNothingOfItIsPosted() {
        MemoryEndpoint memory = cluster().memory();
        TestClient client = cluster().client(1);
        LocalBuffer local = client.endpoint().allocateLocal(64);
        Lane lane = client.lane(0);
        assertThatThrownBy(() ->
                        lane.post(adding(client, local, lane.depth() + 1, 64).signalled(1)))
                .isInstanceOf(IllegalArgumentException.class);
        Completion.of(lane, adding(client, local, 1, 72).signalled(2), 1);
        assertThat(memory.get(0, 64)).isZero();
    }

    @Test
    default void aChainForAnotherMemoryNodeIsRefusedAndNothingOfItIsPosted() {
        MemoryEndpoint memory = cluster().memory(0);
        cluster().memory(1);
        TestClient client = cluster().client(1);
        LocalBuffer local = client.endpoint().allocateLocal(64);
        RemoteSegment other =
                client.endpoint().connect(1, 1, TestEndpoints.PATIENCE).segment(0);
        Chain chain =
                adding(client, local, 2, 64).fetchAndAdd(other, 64, 1, local, 0).signalled(1);
        assertThatThrownBy(() -> client.lane(0).post(chain)).isInstanceOf(IllegalArgumentException.class);
        Completion.of(client.lane(0), adding(client, local, 1, 72).signalled(2), 1);
        assertThat(memory.get(0, 64)).isZero();
        assertThat(client.lane(0).isBroken()).isFalse();
    }

    /** A chain with room for one more request. Each request adds 1 to a word of the first segment. */
    private static Chain adding(TestClient client, LocalBuffer local, int n, long offset) {
        Chain chain = new Chain(n + 1);
        for (int i = 0; i < n; i++) {
            chain.fetchAndAdd(client.segment(0), offset, 1, local, 0);
        }
        return chain;
    }
}
