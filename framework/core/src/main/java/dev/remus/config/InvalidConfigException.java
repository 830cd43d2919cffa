// SPDX-License-Identifier: Apache-2.0
package dev.remus.config;

import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A configuration that cannot work. The message names the setting to change, the value that it was given and what it
 * needs, by the names in {@link ClusterConfig.Builder}; {@link #commandLineMessage} names the options instead.
 */
public final class InvalidConfigException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String option;
    private final String commandLineMessage;

    /**
     * A complaint about one setting.
     *
     * @param setting the one to change
     * @param given the rejected value as text, or null if it has none
     * @param needs what would be accepted, continuing the sentence "needs ..."; a {@link String#format} pattern
     * @param mentioned the other settings that the pattern names, one for each {@code %s}
     */
    InvalidConfigException(Setting<?> setting, @Nullable String given, String needs, Setting<?>... mentioned) {
        super(message(setting, given, needs, mentioned, Setting::toString));
        this.option = setting.option();
        this.commandLineMessage = message(setting, given, needs, mentioned, Setting::option);
    }

    /** The option of the setting to change. */
    public String option() {
        return option;
    }

    /** The message with the names of command-line options. */
    public String commandLineMessage() {
        return commandLineMessage;
    }

    private static String message(
            Setting<?> setting,
            @Nullable String given,
            String needs,
            Setting<?>[] mentioned,
            Function<Setting<?>, String> name) {
        Object[] names = Arrays.stream(mentioned).map(name).toArray();
        String got = given == null ? " has no value" : ": got '" + given + "'";
        return name.apply(setting) + got + ", needs " + String.format(needs, names);
    }
}
