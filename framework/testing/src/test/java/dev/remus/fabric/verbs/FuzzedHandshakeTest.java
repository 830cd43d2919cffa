// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.ClusterSecret;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.Release;
import dev.remus.fabric.RemoteSegment;
import dev.remus.fabric.Version;
import dev.remus.fuzz.Fuzz;
import dev.remus.fuzz.Mutation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Both ends of a handshake get random and changed messages: they throw nothing but a {@link FabricException}, and grant
 * nothing. A million messages: {@code -Dremus.fuzz=1000000}.
 */
@Tag("any-jdk")
@Timeout(600)
class FuzzedHandshakeTest {
    private static final int IN = Handshake.MAX_BYTES;
    private static final int OUT = 0;
    private static final Version OWN = Version.PRESENT;
    private static final byte[] RELEASED_HELLO = new Release("0.1.0").bytes("hello");
    private static final byte[] RELEASED_WELCOME = new Release("0.1.0").bytes("welcome");
    private static final Handshake.Hello HELLO = new Handshake.Hello(7, 1, 0, 3, "cluster");

    private static final Handshake.Welcome WELCOME = new Handshake.Welcome(
            9,
            Handshake.Answer.WELCOME,
            new RemoteSegment(0, 0, 8, 64, 5),
            List.of(new RemoteSegment(0, 0, 4096, 1 << 20, 6), new RemoteSegment(0, 1, 4096, 1 << 21, 7)));

    private static final ClusterConfig CONFIG = ClusterConfig.builder()
            .cluster("cluster")
            .memoryNodes(0, 0)
            .computeNodes(1, 2)
            .build();

    @TempDir
    private Path folder;

    private final LocalBuffer compute = LocalBuffer.unregistered(2 * Handshake.MAX_BYTES);
    private final LocalBuffer memory = LocalBuffer.unregistered(2 * Handshake.MAX_BYTES);
    private Optional<ClusterSecret> secret;
    private MemoryNodeHandshake.Requirements closed;
    private MemoryNodeHandshake.Requirements open;

    @BeforeEach
    void makeSecret() throws IOException {
        secret = Secrets.secret(folder, "s");
        closed = new MemoryNodeHandshake.Requirements(CONFIG, 0, 9, OWN, secret);
        open = new MemoryNodeHandshake.Requirements(CONFIG, 0, 9, OWN, Optional.empty());
    }

    private MemoryNodeHandshake memoryEnd(boolean withSecret) {
        return new MemoryNodeHandshake(withSecret ? closed : open, 18, 17);
    }

    private ComputeNodeHandshake computeEnd() {
        return new ComputeNodeHandshake(HELLO, OWN, secret, 17, 18);
    }

    private static void deliver(byte[] message, LocalBuffer to) {
        to.view(IN, Handshake.MAX_BYTES).put(Arrays.copyOf(message, Handshake.MAX_BYTES));
    }

    /** A message that differs from a sound one, is of a release, or is random. */
    private static byte[] next(byte[] sound, SplittableRandom random, byte[] ofRelease) {
        return switch (random.nextInt(8)) {
            case 0 -> Mutation.bytes(random, Handshake.MAX_BYTES);
            case 1 -> Mutation.of(ofRelease, random);
            default -> Mutation.of(sound, random);
        };
    }

    private static boolean isSame(byte[] sound, byte[] message, int from, int to) {
        return Arrays.equals(sound, from, to, Arrays.copyOf(message, Handshake.MAX_BYTES), from, to);
    }

    /** Null if the message was refused by an exception. */
    private MemoryNodeHandshake.Progress receive(MemoryNodeHandshake memoryEnd, byte[] message) {
        deliver(message, memory);
        try {
            return memoryEnd.receive(memory, IN, OUT);
        } catch (FabricException e) {
            assertThat(e.getMessage()).contains("a connecting process");
            return null;
        }
    }

    @Test
    void aMemoryNodeGrantsNothingForARandomHello() {
        SplittableRandom random = Fuzz.random(71);
        byte[] sound = Proof.copy(compute, OUT, computeEnd().begin(compute, OUT));
        for (int i = Fuzz.times(300_000); i > 0; i--) {
            byte[] message = next(sound, random, RELEASED_HELLO);
            assertThat(receive(memoryEnd(true), message)).isNotEqualTo(MemoryNodeHandshake.Progress.PROVED);
            MemoryNodeHandshake memoryEnd = memoryEnd(false);
            if (receive(memoryEnd, message) == MemoryNodeHandshake.Progress.PROVED) { // it has no secret
                assertThat(memoryEnd.hello().cluster()).isEqualTo("cluster");
                assertThat(memoryEnd.hello().memoryNode()).isZero();
                assertThat(memoryEnd.hello().computeNode()).isBetween(1, 2);
            }
        }
    }

    @Test
    void aMemoryNodeGrantsNothingForARandomProof() {
        SplittableRandom random = Fuzz.random(72);
        for (int i = Fuzz.times(300_000); i > 0; i--) {
            ComputeNodeHandshake computeEnd = computeEnd();
            MemoryNodeHandshake memoryEnd = memoryEnd(true);
            receive(memoryEnd, Proof.copy(compute, OUT, computeEnd.begin(compute, OUT)));
            deliver(Proof.copy(memory, OUT, memoryEnd.length()), compute);
            byte[] sound = Proof.copy(compute, OUT, computeEnd.answer(compute, IN, OUT));
            byte[] message = next(sound, random, RELEASED_HELLO);
            boolean isSigned = isSame(sound, message, Preamble.BYTES, Handshake.PROOF_BYTES);
            assertThat(receive(memoryEnd, message) == MemoryNodeHandshake.Progress.PROVED && !isSigned)
                    .isFalse();
        }
    }

    @Test
    void aComputeNodeTrustsNoRandomChallengeAndNoRandomWelcome() {
        SplittableRandom random = Fuzz.random(73);
        for (int i = Fuzz.times(400_000); i > 0; i--) {
            ComputeNodeHandshake computeEnd = computeEnd();
            MemoryNodeHandshake memoryEnd = memoryEnd(true);
            receive(memoryEnd, Proof.copy(compute, OUT, computeEnd.begin(compute, OUT)));
            byte[] challenge = Proof.copy(memory, OUT, memoryEnd.length());
            boolean isHonest = random.nextBoolean();
            try {
                deliver(isHonest ? challenge : next(challenge, random, RELEASED_WELCOME), compute);
                int length = computeEnd.answer(compute, IN, OUT);
                if (length == 0) {
                    assertNotWelcome(computeEnd);
                    continue;
                }
                receive(memoryEnd, Proof.copy(compute, OUT, length));
                byte[] sound = Proof.copy(memory, OUT, memoryEnd.write(WELCOME, memory, OUT));
                byte[] message = next(sound, random, RELEASED_WELCOME);
                deliver(message, compute);
                Handshake.Welcome welcome = computeEnd.end(compute, IN);
                if (welcome.answer() == Handshake.Answer.WELCOME) {
                    assertThat(isSame(sound, message, 0, sound.length)).isTrue();
                }
            } catch (FabricException e) {
                assertThat(e.getMessage()).contains("Memory Node 0");
            }
        }
    }

    private void assertNotWelcome(ComputeNodeHandshake computeEnd) {
        assertThat(computeEnd.end(compute, IN).answer()).isNotEqualTo(Handshake.Answer.WELCOME);
    }
}
