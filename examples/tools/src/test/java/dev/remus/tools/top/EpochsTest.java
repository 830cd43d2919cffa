// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.shm.LocalClusters.Look;
import dev.remus.fabric.shm.LocalClusters.Node;
import dev.remus.fabric.shm.LocalClusters.State;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EpochsTest {
    private static final long POINTER = 1L << 48 | 4096;
    private static final long SECOND = 1_000_000_000L;
    private static final String COUNTS = "1 2 3 4 5";

    private final Epochs epochs = new Epochs();

    /** Two Compute Nodes with two threads each; the second has come back once. */
    private static Look look(State first, String... retired) {
        Map<String, String> notice = new HashMap<>(
                Map.of("threads", "8", "first", "0", "epoch", "" + POINTER, "thread.0", COUNTS, "thread.1", COUNTS));
        Map<String, String> other = new HashMap<>(notice);
        other.put("first", "6");
        if (retired.length > 0) {
            notice.put("retired", retired[0]);
        }
        return new Look(
                "demo",
                List.of(
                        new Node(0, true, State.RUNNING, "11", Map.of()),
                        new Node(1, false, first, "12", notice),
                        new Node(2, false, State.RUNNING, "13", other)),
                List.of(),
                Optional.empty());
    }

    private List<String> shown(Look look, long nanos, long... words) throws IOException {
        epochs.poll(
                look,
                (pointer, count) -> {
                    assertThat(pointer).isEqualTo(POINTER);
                    assertThat(count).isEqualTo(9);
                    return Optional.of(words);
                },
                nanos);
        return epochs.show(look);
    }

    @Test
    void theThreadThatIsFurthestBehindIsNamedByItsPresentNode() throws IOException {
        Look look = look(State.RUNNING);
        assertThat(shown(look, SECOND, 1200, 1201, 1201, 0, 1000, 0, 0, 1201, 1200))
                .containsExactly(
                        "reclamation: blocks that are retired and not yet free",
                        "  epoch 1,200: node 2, thread 1 is the last, at 1,199");
        assertThat(shown(look, 3 * SECOND, 1205, 1206, 1206, 0, 1000, 0, 0, 1206, 1206))
                .contains("  epoch 1,205, 2.5/s: all threads online have announced it");
    }

    @Test
    void aThreadOfAStoppedNodeIsBehindAndOneOfALostNodeIsNot() throws IOException {
        long[] words = {1200, 1200, 0, 0, 0, 0, 0, 1201, 0};
        assertThat(shown(look(State.STOPPED), SECOND, words))
                .contains("  epoch 1,200: node 1, thread 0 is the last, at 1,199");
        assertThat(shown(look(State.LOST), SECOND, words))
                .anyMatch(line -> line.endsWith("all threads online have announced it"));
    }

    @Test
    void threadsThatAreOfflineHoldNothingUp() throws IOException {
        assertThat(shown(look(State.RUNNING), SECOND, new long[9])).contains("  epoch 0: no thread is online");
    }

    @Test
    void theRetiredBlocksOfANodeAreShownInKibibytes() throws IOException {
        assertThat(shown(look(State.RUNNING, "1234 65537"), SECOND, new long[9]))
                .contains("  node 1  1,234 blocks, 65 KiB");
    }

    @Test
    void aClusterWithoutEpochsAndRetiredBlocksHasNoLines() throws IOException {
        Node node = new Node(1, false, State.RUNNING, "12", Map.of());
        Look bare = new Look("demo", List.of(node), List.of(), Optional.empty());
        epochs.poll(bare, (pointer, count) -> Optional.empty(), SECOND);
        assertThat(epochs.show(bare)).isEmpty();
    }
}
