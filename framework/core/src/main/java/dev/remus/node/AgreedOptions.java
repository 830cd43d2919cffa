// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.Agreement;
import dev.remus.config.ClusterConfig;
import dev.remus.config.ClusterSettings;
import dev.remus.config.Setting;
import dev.remus.fabric.BlockingOperations;
import dev.remus.fabric.FabricException;
import dev.remus.memory.SegmentLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Compares the program's options, and the settings with {@link Agreement#COMPUTE_NODES}, between Compute Nodes. The
 * first Compute Node to connect stores a hash of each option in the first Memory Node. The others compare their hashes
 * with it.
 *
 * <p>There are {@value SegmentLayout#AGREED_WORDS} words. If there are more options, several share a word.
 */
final class AgreedOptions {
    private static final long PRIME = 0x100_0000_01B3L;
    private static final long BASIS = 0xCBF2_9CE4_8422_2325L;

    private AgreedOptions() {}

    /** @throws FabricException if another Compute Node was started with another value; the message names the option */
    static void check(ClusterConfig config, BlockingOperations memory) {
        SegmentLayout layout = new SegmentLayout(config);
        List<Map.Entry<String, String>> all = new ArrayList<>(config.agreed().entrySet());
        if (!all.isEmpty()) {
            ClusterSettings.all().stream()
                    .filter(setting -> setting.agreement() == Agreement.COMPUTE_NODES)
                    .forEach(setting -> all.add(Map.entry(setting.names(), format(setting, config))));
        }
        for (int word = 0; word < Math.min(all.size(), SegmentLayout.AGREED_WORDS); word++) {
            List<Map.Entry<String, String>> hashed = new ArrayList<>();
            for (int i = word; i < all.size(); i += SegmentLayout.AGREED_WORDS) {
                hashed.add(all.get(i));
            }
            long own = hash(hashed.toString());
            long theirs = memory.compareAndSwap(layout.agreed(word), 0, own);
            if (theirs != 0 && theirs != own) {
                throw new FabricException("earlier Compute Nodes were started with another "
                        + hashed.stream().map(Map.Entry::getKey).collect(Collectors.joining(" or ")) + ": here it is "
                        + hashed.stream().map(Map.Entry::getValue).collect(Collectors.joining(" or "))
                        + ". All nodes of a cluster need the same");
            }
        }
    }

    private static <T> String format(Setting<T> setting, ClusterConfig config) {
        return setting.type().format(config.get(setting));
    }

    /** FNV-1a; never 0. */
    private static long hash(String text) {
        long hash = BASIS;
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ b & 0xFF) * PRIME;
        }
        return hash == 0 ? 1 : hash;
    }
}
