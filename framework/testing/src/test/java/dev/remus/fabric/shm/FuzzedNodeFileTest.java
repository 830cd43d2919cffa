// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.FabricException;
import dev.remus.fabric.Release;
import dev.remus.fabric.Version;
import dev.remus.fuzz.Fuzz;
import dev.remus.fuzz.Mutation;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Properties;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random and changed node files are read: nothing but a {@link FabricException} is thrown. A million files: {@code
 * -Dremus.fuzz=1000000}.
 */
@Tag("any-jdk")
@Timeout(600)
class FuzzedNodeFileTest {
    private static final int BYTES = 400;

    @Test
    void anyBytesAreANodeFileOrRefused() {
        SplittableRandom random = Fuzz.random(74);
        StringBuilder present = new StringBuilder("software=0.2.0\nprotocol=" + Version.PRESENT.protocol() + "\nlayout="
                + Version.PRESENT.layout() + "\nincarnation=5\npid=1\npublished=true\nstart=1\n");
        new Offer(77, 65_536, List.of(1, 2))
                .toProperties()
                .forEach((name, value) ->
                        present.append(name).append('=').append(value).append('\n'));
        List<byte[]> sound = List.of(
                (present + "end=true\n").getBytes(StandardCharsets.UTF_8),
                new Release("0.1.0").text("memory-node-file").getBytes(StandardCharsets.UTF_8),
                new Release("0.1.0").text("compute-node-file").getBytes(StandardCharsets.UTF_8));
        int read = 0;
        for (int i = Fuzz.times(1_000_000); i > 0; i--) {
            int which = random.nextInt(sound.size() + 1);
            byte[] file = which == sound.size() ? Mutation.bytes(random, BYTES) : Mutation.of(sound.get(which), random);
            read += isRead(file) ? 1 : 0;
        }
        assertThat(read).as("changes that leave an offer").isPositive();
    }

    /** Reads a file as a Compute Node does; returns whether there is an offer. */
    private static boolean isRead(byte[] file) {
        Properties contents = NodeFile.parse(file);
        NodeFile.Look look = new NodeFile.Look(true, contents);
        assertThat(look.incarnation()).isInstanceOf(Long.class);
        assertThat(look.version().isEmpty()).isEqualTo(contents.isEmpty());
        if (!look.published() || !look.version().map(Version.PRESENT::fits).orElse(false)) {
            return false;
        }
        try {
            return Offer.of(contents, 0).isFrom(contents);
        } catch (FabricException e) {
            assertThat(e.getMessage()).contains("Memory Node 0");
            return false;
        }
    }
}
