// SPDX-License-Identifier: Apache-2.0
package dev.remus.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Settings that belong together, under a title. {@link ClusterSettings} holds all of them. */
public final class SettingGroup {
    private final String title;
    private final List<Setting<?>> settings = new ArrayList<>();

    SettingGroup(String title) {
        this.title = title;
    }

    /** Only while the table is built. */
    void add(Setting<?> setting) {
        settings.add(setting);
    }

    /** The heading in the help and in the documentation. */
    public String title() {
        return title;
    }

    /** The settings in the order of the table; unmodifiable. */
    public List<Setting<?>> settings() {
        return Collections.unmodifiableList(settings);
    }
}
