package dev.remus.config;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.Function;

/**
 * A configuration that cannot work. The message names the setting to change, the value that it was given and what it
 * needs, in the words of {@link ClusterConfig.Builder}; {@link #message} has it in other words, such as those of the
 * command line.
 */
public final class InvalidConfigException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final ClusterSetting setting;
    private final String given;
    private final String needs;
    private final ClusterSetting[] mentioned;

    /**
     * A complaint about one setting.
     *
     * @param setting the one to change
     * @param given the value that was refused
     * @param needs what would be accepted, continuing the sentence "needs ..."; a {@link String#format} pattern
     * @param mentioned the other settings that the pattern names, one for each {@code %s}
     */
    InvalidConfigException(ClusterSetting setting, Object given, String needs, ClusterSetting... mentioned) {
        super(message(setting, given, needs, mentioned, ClusterSetting::toString));
        this.setting = Objects.requireNonNull(setting, "setting");
        this.given = String.valueOf(given);
        this.needs = needs;
        this.mentioned = mentioned.clone();
    }

    /**
     * The setting to change.
     *
     * @return what the message names first
     */
    public ClusterSetting setting() {
        return setting;
    }

    /**
     * The message in other words.
     *
     * @param name what to call a setting
     * @return the message
     */
    public String message(Function<ClusterSetting, String> name) {
        return message(setting, given, needs, mentioned, name);
    }

    private static String message(
            ClusterSetting setting,
            Object given,
            String needs,
            ClusterSetting[] mentioned,
            Function<ClusterSetting, String> name) {
        Object[] names = Arrays.stream(mentioned).map(name).toArray();
        return name.apply(setting) + ": got '" + given + "', needs " + String.format(needs, names);
    }
}
