// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.BlockingOperations;
import dev.remus.fabric.Lane;
import dev.remus.fabric.Link;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.RemoteSegment;
import dev.remus.memory.AddressSpace;
import dev.remus.memory.RdmaPtr;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongBinaryOperator;
import org.junit.jupiter.api.Test;

class ParticipationTest {
    private final List<Integer> informed = new ArrayList<>();

    /** Adds to words of Memory Node 1; Memory Node 0 is lost, and the membership does not know it yet. */
    private final LongBinaryOperator fetchAndAdd = (word, threads) -> {
        int node = RdmaPtr.node(word);
        if (node == 0) {
            throw new NodeLostException(0, "Memory Node 0 is lost");
        }
        informed.add(node);
        return 0;
    };

    @Test
    void underContinueAThreadFinishesWellIfAMemoryNodeIsLostAtThatMoment() {
        Participation participation = participation(OnNodeLoss.CONTINUE);
        participation.finish(1, fetchAndAdd);
        assertThat(informed).containsExactly(1);
        assertThat(participation.finished()).isEqualTo(1);
        assertThat(participation.isOver()).isFalse();
    }

    @Test
    void underAbortALossAtThatMomentEndsTheRun() {
        Participation participation = participation(OnNodeLoss.ABORT);
        assertThatThrownBy(() -> participation.finish(1, fetchAndAdd))
                .isInstanceOfSatisfying(
                        NodeLostException.class, e -> assertThat(e.node()).isZero());
        assertThat(participation.isOver()).isTrue();
    }

    private static Participation participation(OnNodeLoss policy) {
        ClusterConfig config = TestCluster.config(2, 2, 1).onNodeLoss(policy).build();
        AddressSpace space = new AddressSpace(config);
        List<Link> links = List.of(new UnawareLink(0), new UnawareLink(1));
        BlockingOperations unused = RecordedOperations.around(null);
        Membership membership = new Membership(config, 2, links, unused, space);
        return new Participation(links, membership, space);
    }

    /** A link that has not noticed a loss. */
    private record UnawareLink(int memoryNode) implements Link {
        @Override
        public int segments() {
            return 1;
        }

        @Override
        public RemoteSegment segment(int i) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int lanes() {
            return 0;
        }

        @Override
        public Lane lane(int i) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isLost() {
            return false;
        }

        @Override
        public void close() {}
    }
}
