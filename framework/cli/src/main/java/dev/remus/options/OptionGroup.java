// SPDX-License-Identifier: Apache-2.0
package dev.remus.options;

import java.util.List;

/**
 * Options that belong together, under a title. A program defines its own groups and imports others; see
 * {@link OptionSet#include}.
 */
public final class OptionGroup {
    private final String title;
    private final List<OptionSpec<?>> specs;

    /**
     * A group.
     *
     * @param title the heading in the usage text
     * @param specs the options, in the order in which the usage text and {@link Arguments#toMap} list them
     */
    public OptionGroup(String title, OptionSpec<?>... specs) {
        this.title = title;
        this.specs = List.of(specs);
    }

    /**
     * The heading in the usage text.
     *
     * @return the title as given
     */
    public String title() {
        return title;
    }

    /**
     * The options of the group.
     *
     * @return an unmodifiable list in the order of the declaration
     */
    List<OptionSpec<?>> specs() {
        return specs;
    }
}
