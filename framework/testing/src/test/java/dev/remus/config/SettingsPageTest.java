// SPDX-License-Identifier: Apache-2.0
package dev.remus.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The page about settings, whose tables are made from {@link ClusterSettings}. */
class SettingsPageTest {
    private static final String BEGIN = "<!-- made from ClusterSettings -->\n";
    private static final String END = "<!-- end -->\n";

    /** Writes the expected page to {@code target/SETTINGS.md}. */
    @Test
    void thePageListsEverySettingAsTheTableDeclaresIt() throws Exception {
        String page = Files.readString(Path.of("../SETTINGS.md"));
        String made = page.substring(0, page.indexOf(BEGIN)) + BEGIN + tables() + page.substring(page.indexOf(END));
        Files.writeString(Path.of("target/SETTINGS.md"), made);

        assertThat(page).isEqualTo(made);
    }

    private static String tables() {
        StringBuilder text = new StringBuilder();
        for (SettingGroup group : ClusterSettings.groups()) {
            text.append("\n## ").append(group.title()).append("\n\n");
            text.append(
                    "| option | meaning | values | default | on all nodes | in Java |\n|---|---|---|---|---|---|\n");
            group.settings().forEach(setting -> text.append(row(setting)));
        }
        return text.append('\n').toString();
    }

    private static <T> String row(Setting<T> setting) {
        ValueType<T> type = setting.type();
        String values = type.argName().isEmpty() ? "a flag" : type.needs();
        if (!type.range().isEmpty()) {
            values = "`" + type.range().replace("|", "`, `") + "`";
        }
        String inJava = setting.defaultValue()
                .map(type::format)
                .filter(text -> !text.isEmpty())
                .map(text -> "`" + text + "`")
                .orElse("");
        String value = setting.isRequired() ? "required" + (inJava.isEmpty() ? "" : "; in Java " + inJava) : inJava;
        String agreement = switch (setting.agreement()) {
            case PER_NODE -> "";
            case COMPUTE_NODES -> "the same on Compute Nodes";
            default -> "the same";
        };
        String help = setting.help().replaceAll("--[a-z][a-z-]*", "`$0`");
        return "| `" + setting.option() + "` | " + help + " | " + values + " | " + value + " | " + agreement + " | `"
                + setting + "` |\n";
    }
}
