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
 * table, the first in the lowest bits. Each setting takes as many bits as the number of its values needs. The highest
 * bit is always set.
 */
public final class ClusterWord {
    private static final List<Setting<?>> SETTINGS = ClusterSettings.all().stream()
            .filter(setting -> isIn(setting.agreement()))
            .toList();

    private static final long PRESENT = Long.MIN_VALUE;

    static {
        int bits = SETTINGS.stream().mapToInt(ClusterWord::bits).sum();
        if (bits >= Long.SIZE) {
            throw new IllegalStateException("the settings to compare take " + bits + " bits, a word has room for 63");
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
        return word;
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
        int used = SETTINGS.stream().mapToInt(ClusterWord::bits).sum();
        return word >>> used == PRESENT >>> used
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
