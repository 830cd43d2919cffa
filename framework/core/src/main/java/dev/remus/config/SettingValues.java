// SPDX-License-Identifier: Apache-2.0
package dev.remus.config;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The values of all {@link ClusterSettings}, and of the program's options that all Compute Nodes share. A builder
 * changes its own, a configuration never does.
 */
final class SettingValues {
    private final @Nullable Object[] values;
    private Map<String, String> agreed;

    private SettingValues(@Nullable Object[] values, Map<String, String> agreed) {
        this.values = values;
        this.agreed = agreed;
    }

    static SettingValues ofDefaults() {
        return new SettingValues(
                ClusterSettings.all().stream()
                        .map(setting -> setting.defaultValue().orElse(null))
                        .toArray(),
                Map.of());
    }

    SettingValues copy() {
        return new SettingValues(values.clone(), agreed);
    }

    @SuppressWarnings("unchecked") // only set() stores values, of the setting's own type
    <T> T get(Setting<T> setting) {
        Object value = values[setting.index()];
        if (value == null) {
            throw new NoSuchElementException(setting + " has no value");
        }
        return (T) value;
    }

    <T> void set(Setting<T> setting, T value) {
        Objects.requireNonNull(value, setting.toString());
        values[setting.index()] = value instanceof List<?> list ? List.copyOf(list) : value;
    }

    Map<String, String> agreed() {
        return agreed;
    }

    void agreed(Map<String, String> value) {
        agreed = Collections.unmodifiableMap(new LinkedHashMap<>(value));
    }

    /**
     * Checks each value on its own.
     *
     * @throws InvalidConfigException if a value is missing, or its setting does not accept it
     */
    void checkEach() {
        ClusterSettings.all().forEach(this::check);
    }

    private <T> void check(Setting<T> setting) {
        if (values[setting.index()] == null) {
            throw new InvalidConfigException(setting, null, pattern(setting));
        }
        T value = get(setting);
        if (!setting.type().accepts(value)) {
            throw new InvalidConfigException(setting, setting.type().format(value), pattern(setting));
        }
    }

    private static String pattern(Setting<?> setting) {
        return setting.type().needs().replace("%", "%%");
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SettingValues that && Arrays.equals(values, that.values) && agreed.equals(that.agreed);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values) * 31 + agreed.hashCode();
    }
}
