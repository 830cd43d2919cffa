// SPDX-License-Identifier: Apache-2.0
package dev.remus.memory;

import dev.remus.config.Agreement;
import dev.remus.config.ClusterConfig;
import dev.remus.config.ClusterSettings;
import dev.remus.config.Setting;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The settings on which all nodes of a cluster must agree, in one word. Each Memory Node stores its own word, and
 * Compute Nodes compare it with theirs.
 *
 * <p>The word holds the settings with {@link Agreement#LAYOUT} or {@link Agreement#COMPARED}, in the order of the
 * table, the first in the lowest bits. Each setting takes as many bits as the number of its values needs. The next bit
 * says whether nodes may come back; how often is in a word of its own, for which this one has no room. The highest bit
 * is always set.
 */
public final class ClusterWord {
    private static final List<Setting<?>> SETTINGS = ClusterSettings.all().stream()
            .filter(setting -> isIn(setting.agreement()))
            .toList();

    private static final long PRESENT = Long.MIN_VALUE;

    private static final int BITS =
            SETTINGS.stream().mapToInt(ClusterWord::bits).sum();

    static {
        if (BITS > Long.SIZE - 2) {
            throw new IllegalStateException("the settings to compare take " + BITS + " bits, a word has room for 62");
        }
    }

    private ClusterWord() {}

    private static boolean isIn(Agreement agreement) {
        return agreement == Agreement.LAYOUT || agreement == Agreement.COMPARED;
    }

    private static int bits(Setting<?> setting) {
        int count = setting.type().count();
        if (count == 0) {
            throw new IllegalStateException(setting + " has values that cannot be counted");
        }
        return Integer.SIZE - Integer.numberOfLeadingZeros(count - 1);
    }

    /** The word of a configuration. */
    public static long of(ClusterConfig config) {
        long word = PRESENT;
        int shift = 0;
        for (Setting<?> setting : SETTINGS) {
            word |= (long) code(setting, config) << shift;
            shift += bits(setting);
        }
        return config.returns() > 0 ? word | 1L << BITS : word;
    }

    /** Whether nodes may come back, according to a valid word. */
    public static boolean hasReturns(long word) {
        return (word >>> BITS & 1) != 0;
    }

    private static <T> int code(Setting<T> setting, ClusterConfig config) {
        return setting.type().code(config.get(setting));
    }

    private static int code(Setting<?> setting, long word) {
        int shift = SETTINGS.stream()
                .takeWhile(before -> before != setting)
                .mapToInt(ClusterWord::bits)
                .sum();
        return (int) (word >>> shift & (1L << bits(setting)) - 1);
    }

    /** Whether a word is that of some configuration. */
    public static boolean isValid(long word) {
        return word >>> BITS + 1 == PRESENT >>> BITS + 1
                && SETTINGS.stream()
                        .allMatch(
                                setting -> code(setting, word) < setting.type().count());
    }

    /** The settings with a certain agreement that differ between two valid words. */
    public static List<Setting<?>> differences(long word, long other, Agreement agreement) {
        return SETTINGS.stream()
                .filter(setting -> setting.agreement() == agreement && code(setting, word) != code(setting, other))
                .toList();
    }

    /** Formats some settings of a valid word for a message. */
    public static String describe(long word, List<Setting<?>> settings) {
        return settings.stream().map(setting -> describe(word, setting)).collect(Collectors.joining(", "));
    }

    private static <T> String describe(long word, Setting<T> setting) {
        return setting.names() + " " + setting.type().format(setting.type().value(code(setting, word)));
    }
}
