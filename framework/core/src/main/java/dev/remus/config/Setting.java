// SPDX-License-Identifier: Apache-2.0
package dev.remus.config;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One setting of a {@link ClusterConfig}: its name, the values that it accepts, its default, its help, and which nodes
 * must agree on it. {@link ClusterSettings} is the table of all settings; nothing else is declared about any of them.
 *
 * @param <T> the type of the value
 */
public final class Setting<T> {
    private final String option;
    private final String builderName;
    private final ValueType<T> type;
    private final Agreement agreement;
    private final String help;
    private final @Nullable T defaultValue;
    private final boolean required;
    private final int index;

    /** @param index the position in {@link SettingValues}, a different one for each setting */
    Setting(
            int index,
            String option,
            String builderName,
            ValueType<T> type,
            Agreement agreement,
            String help,
            @Nullable T defaultValue,
            boolean required) {
        this.index = index;
        this.option = option;
        this.builderName = builderName;
        this.type = type;
        this.agreement = agreement;
        this.help = help;
        this.defaultValue = defaultValue;
        this.required = required;
    }

    /** The name of its command-line option, with two dashes. */
    public String option() {
        return option;
    }

    /** The values that it accepts. */
    public ValueType<T> type() {
        return type;
    }

    /** Which nodes need the same value. */
    public Agreement agreement() {
        return agreement;
    }

    /** What it is for, in one sentence without a full stop. */
    public String help() {
        return help;
    }

    /** The value in a {@link ClusterConfig.Builder} that sets no other; empty if it must be set. */
    public Optional<T> defaultValue() {
        return Optional.ofNullable(defaultValue);
    }

    /** Whether the command line has no default for it. A program may have one. */
    public boolean isRequired() {
        return required;
    }

    int index() {
        return index;
    }

    /** Its name in {@link ClusterConfig.Builder}, then the option: for messages to programs and command lines. */
    public String names() {
        return builderName + " (" + option + ")";
    }

    /** Its name in {@link ClusterConfig.Builder}, with the argument where the method has two. */
    @Override
    public String toString() {
        return builderName;
    }
}
