// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterSettings;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.Release;
import dev.remus.fabric.RemoteSegment;
import dev.remus.fabric.Version;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HandshakeTest {
    private static final long AT = 64;

    private static final Version OWN = Version.PRESENT;
    private static final Version OTHER_PROTOCOL = new Version("9.8.7-rc.1", OWN.protocol() + 1, OWN.layout());
    private static final Version OTHER_LAYOUT = new Version("9.8.7", OWN.protocol(), OWN.layout() + 1);

    private static final RemoteSegment WORD = new RemoteSegment(3, 0, 8, -64, -65);

    private final LocalBuffer memory = LocalBuffer.unregistered(AT + Handshake.MAX_BYTES);

    @Test
    void aHelloArrivesAsItWasSent() {
        String longest = "x".repeat(ClusterSettings.MAX_CLUSTER_NAME_LENGTH);
        for (String cluster : List.of("c", longest)) {
            for (int lane : new int[] {Handshake.Hello.control(1_000), Handshake.Hello.control(0), 0, 63}) {
                Handshake.Hello hello = new Handshake.Hello(-7, 1023, 1, lane, cluster);
                assertThat(hello.writeTo(memory, AT, OWN, true, -5)).isLessThanOrEqualTo(Handshake.MAX_BYTES);
                assertThat(Handshake.Hello.readFrom(memory, AT, OWN)).isEqualTo(hello);
                assertThat(Handshake.Hello.hasSecret(memory, AT)).isTrue();
                assertThat(Handshake.Hello.queuePair(memory, AT)).isEqualTo(-5);
                assertThat(hello.isControl()).isEqualTo(lane < 0);
            }
        }
    }

    @Test
    void aConnectionReplacesAnEarlierOneOfTheSameNumberAndRun() {
        Handshake.Hello hello = new Handshake.Hello(1, 2, 3, 4, "c");
        assertThat(hello.replaces(new Handshake.Hello(1, 2, 3, 4, "c"))).isTrue();
        assertThat(hello.replaces(new Handshake.Hello(1, 2, 3, 5, "c"))).isFalse();
        assertThat(hello.replaces(new Handshake.Hello(9, 2, 3, 4, "c"))).isFalse();
        Handshake.Hello control = new Handshake.Hello(1, 2, 3, Handshake.Hello.control(4), "c");
        assertThat(control.replaces(control)).isTrue();
        assertThat(control.replaces(hello)).isFalse();
        assertThat(control.replaces(new Handshake.Hello(1, 2, 3, Handshake.Hello.control(5), "c")))
                .isFalse();
    }

    @Test
    void aWelcomeArrivesAsItWasSentWithAsManySegmentsAsThereCanBe() {
        List<RemoteSegment> segments = IntStream.range(0, ClusterSettings.MAX_SEGMENTS_PER_NODE)
                .mapToObj(i -> new RemoteSegment(3, i, 1L << 31, -4096L * i, i - 5))
                .toList();
        for (Handshake.Answer answer : Handshake.Answer.values()) {
            for (List<RemoteSegment> offered : List.of(segments, List.<RemoteSegment>of())) {
                Handshake.Welcome welcome = new Handshake.Welcome(9, answer, WORD, offered);
                assertThat(welcome.writeTo(memory, AT, OWN)).isLessThanOrEqualTo(Handshake.MAX_BYTES);
                assertThat(Handshake.Welcome.readFrom(memory, AT, 3, OWN)).isEqualTo(welcome);
            }
        }
    }

    @Test
    void aGoodbyeIsNoHelloAndTheReverse() {
        Handshake.writeGoodbye(memory, AT, OWN);
        assertThat(Handshake.isGoodbye(memory, AT, OWN)).isTrue();
        assertThatThrownBy(() -> Handshake.Hello.readFrom(memory, AT, OWN)).isInstanceOf(FabricException.class);
        new Handshake.Hello(1, 2, 3, 0, "c").writeTo(memory, AT, OWN, false, 5);
        assertThat(Handshake.isGoodbye(memory, AT, OWN)).isFalse();
    }

    @Test
    void randomBytesAreRefused() {
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 1000; i++) {
            for (long at = 0; at < memory.bytes(); at += 8) {
                memory.putLong(at, random.nextLong());
            }
            assertThatThrownBy(() -> Handshake.Hello.readFrom(memory, AT, OWN)).isInstanceOf(FabricException.class);
            assertThatThrownBy(() -> Handshake.Welcome.readFrom(memory, AT, 3, OWN))
                    .isInstanceOf(FabricException.class)
                    .hasMessageContaining("Memory Node 3");
        }
    }

    @Test
    void lengthsThatAreOutOfRangeAreRefused() {
        new Handshake.Hello(1, 2, 3, 0, "c").writeTo(memory, AT, OWN, false, 5);
        for (int length : new int[] {-1, 65, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            memory.view(AT, 64).putInt(60, length);
            assertThatThrownBy(() -> Handshake.Hello.readFrom(memory, AT, OWN)).isInstanceOf(FabricException.class);
        }
        new Handshake.Welcome(9, Handshake.Answer.WELCOME, WORD, List.of()).writeTo(memory, AT, OWN);
        for (int segments : new int[] {-1, 65, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            memory.view(AT, 64).putInt(52, segments);
            assertThatThrownBy(() -> Handshake.Welcome.readFrom(memory, AT, 3, OWN))
                    .isInstanceOf(FabricException.class);
        }
    }

    @Test
    void aHelloOfAnotherVersionIsRefusedByName() {
        for (Version other : List.of(OTHER_PROTOCOL, OTHER_LAYOUT)) {
            new Handshake.Hello(1, 2, 3, 0, "c").writeTo(memory, AT, other, false, 5);
            assertThatThrownBy(() -> Handshake.Hello.readFrom(memory, AT, OWN))
                    .isInstanceOf(Preamble.OtherVersionException.class)
                    .hasMessage(OWN.refusal("a connecting process", other).getMessage());
        }
    }

    @Test
    void aWelcomeOfAnotherVersionIsRefusedByName() {
        for (Version other : List.of(OTHER_PROTOCOL, OTHER_LAYOUT)) {
            Handshake.Welcome.refusal(1, Handshake.Answer.OTHER_VERSION).writeTo(memory, AT, other);
            assertThatThrownBy(() -> Handshake.Welcome.readFrom(memory, AT, 3, OWN))
                    .isInstanceOf(Preamble.OtherVersionException.class)
                    .hasMessage(OWN.refusal("Memory Node 3", other).getMessage());
        }
    }

    @Test
    void aNodeOfAnotherSoftwareWithTheSameFormatsIsUnderstood() {
        Handshake.Hello hello = new Handshake.Hello(1, 2, 3, 0, "c");
        hello.writeTo(memory, AT, new Version("9.8.7", OWN.protocol(), OWN.layout()), false, 5);
        assertThat(Handshake.Hello.readFrom(memory, AT, OWN)).isEqualTo(hello);
    }

    @Test
    void messagesOfTheLastReleaseAreRefusedByName() {
        Release release = new Release("0.1.0");
        Version last = new Version("", 3, 0);
        put(release.bytes("hello"));
        assertThatThrownBy(() -> Handshake.Hello.readFrom(memory, AT, OWN))
                .isInstanceOf(Preamble.OtherVersionException.class)
                .hasMessage(OWN.refusal("a connecting process", last).getMessage());
        put(release.bytes("welcome"));
        assertThatThrownBy(() -> Handshake.Welcome.readFrom(memory, AT, 3, OWN))
                .isInstanceOf(Preamble.OtherVersionException.class)
                .hasMessage(OWN.refusal("Memory Node 3", last).getMessage());
        put(release.bytes("goodbye"));
        assertThat(Handshake.isGoodbye(memory, AT, OWN)).isFalse();
    }

    /** A node of that release compares the first word of a message with its own, and refuses the message. */
    @Test
    void messagesDifferFromThoseOfTheLastReleaseInTheirFirstWord() {
        put(new Release("0.1.0").bytes("welcome"));
        long theirs = memory.getLong(AT);
        Handshake.Welcome.refusal(1, Handshake.Answer.OTHER_VERSION).writeTo(memory, AT, OWN);
        assertThat(memory.getLong(AT)).isNotEqualTo(theirs);
    }

    private void put(byte[] message) {
        memory.view(AT, message.length).put(message);
    }
}
