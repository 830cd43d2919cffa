// SPDX-License-Identifier: Apache-2.0
package dev.remus.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of settings. */
class ClusterSettingsTest {
    private static Stream<Setting<?>> settings() {
        return ClusterSettings.all().stream();
    }

    @ParameterizedTest
    @MethodSource("settings")
    <T> void everyDefaultIsAcceptedAndReadBackFromItsText(Setting<T> setting) {
        setting.defaultValue().ifPresent(value -> {
            assertThat(setting.type().accepts(value)).isTrue();
            if (!value.equals(List.of())) {
                assertThat(setting.type().parse(setting.type().format(value))).contains(value);
            }
        });
    }

    @ParameterizedTest
    @MethodSource("settings")
    void everyCountableValueHasANumberOfItsOwn(Setting<?> setting) {
        assertThat(numbersThatComeBack(setting.type())).isEqualTo(setting.type().count());
    }

    private static <T> long numbersThatComeBack(ValueType<T> type) {
        return Stream.iterate(0, code -> code < type.count(), code -> code + 1)
                .filter(code -> type.accepts(type.value(code)) && type.code(type.value(code)) == code)
                .count();
    }

    @Test
    void namesAreUniqueAndEverySettingIsInOneGroup() {
        assertThat(settings().map(Setting::option)).doesNotHaveDuplicates();
        assertThat(settings().map(Setting::toString)).doesNotHaveDuplicates();
        assertThat(ClusterSettings.groups().stream().flatMap(group -> group.settings().stream()))
                .containsExactlyElementsOf(ClusterSettings.all());
    }

    @Test
    void theTableCannotBeChanged() {
        assertThat(ClusterSettings.all()).isUnmodifiable();
        assertThat(ClusterSettings.groups().get(0).settings()).isUnmodifiable();
    }
}
