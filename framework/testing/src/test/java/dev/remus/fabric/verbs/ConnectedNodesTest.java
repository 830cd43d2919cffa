// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.LossKind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ConnectedNodesTest {
    private static final long RUN = 7;

    private final ConnectedNodes nodes = new ConnectedNodes();

    private static Handshake.Hello hello(long run, int computeNode, int lane) {
        return new Handshake.Hello(run, computeNode, 0, lane, "c");
    }

    /** As many connections as a Compute Node may have. */
    private static List<Handshake.Hello> most(int computeNode) {
        return IntStream.range(0, ConnectedNodes.MOST_CONNECTIONS)
                .mapToObj(lane -> hello(RUN, computeNode, lane))
                .toList();
    }

    @Test
    void aComputeNodeHasAtMost1024Connections() {
        List<Handshake.Hello> connections = most(1);
        Handshake.Hello last = hello(RUN, 1, ConnectedNodes.MOST_CONNECTIONS);
        assertThat(nodes.answer(last, connections.stream())).isEqualTo(Handshake.Answer.TOO_MANY);
        assertThat(nodes.answer(last, connections.stream().skip(1))).isEqualTo(Handshake.Answer.WELCOME);
        Handshake.Hello control = hello(RUN, 1, Handshake.Hello.control(0));
        assertThat(nodes.answer(control, connections.stream())).isEqualTo(Handshake.Answer.TOO_MANY);
        assertThat(nodes.answer(hello(RUN + 1, 1, 0), connections.stream()))
                .as("an earlier run's connections count")
                .isEqualTo(Handshake.Answer.TOO_MANY);
    }

    @Test
    void aConnectionThatReplacesOneOfTheMostIsWelcome() {
        List<Handshake.Hello> connections = most(1);
        assertThat(nodes.answer(hello(RUN, 1, 5), connections.stream())).isEqualTo(Handshake.Answer.WELCOME);
    }

    @Test
    void theConnectionsOfOneComputeNodeKeepNoOtherOut() {
        List<Handshake.Hello> connections = new ArrayList<>(most(1));
        connections.addAll(most(2).subList(1, ConnectedNodes.MOST_CONNECTIONS));
        assertThat(nodes.answer(hello(RUN, 2, 0), connections.stream())).isEqualTo(Handshake.Answer.WELCOME);
    }

    @Test
    void anIdIsTakenWhileAProcessUsesIt() {
        nodes.joined(1, RUN);
        assertThat(nodes.answer(hello(RUN, 1, 0), Stream.empty())).isEqualTo(Handshake.Answer.WELCOME);
        assertThat(nodes.answer(hello(RUN + 1, 1, 0), Stream.empty())).isEqualTo(Handshake.Answer.ID_TAKEN);
        nodes.left(1, true, LossKind.ENDED);
        assertThat(nodes.answer(hello(RUN + 1, 1, 0), Stream.empty())).isEqualTo(Handshake.Answer.WELCOME);
    }

    @Test
    void aRunThatIsCutOffIsNotWelcomeAgain() {
        nodes.joined(1, RUN);
        nodes.cutOff(RUN);
        nodes.left(1, false, LossKind.UNREACHABLE);
        assertThat(nodes.answer(hello(RUN, 1, 0), Stream.empty())).isEqualTo(Handshake.Answer.CUT_OFF);
        assertThat(nodes.answer(hello(RUN + 1, 1, 0), Stream.empty())).isEqualTo(Handshake.Answer.WELCOME);
    }
}
