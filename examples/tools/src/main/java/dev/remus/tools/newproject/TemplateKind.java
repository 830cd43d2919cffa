// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.newproject;

import java.util.Locale;

/** The structures with which a new project can begin. */
enum TemplateKind {
    /** A lock-free stack whose nodes are freed at once, protected by a tag. */
    STACK,
    /** A sorted set with a lock for updates, and reads without. */
    SET,
    /** A queue with a lock at each end. */
    QUEUE,
    /** A hash map of fixed size, without locks. */
    MAP;

    /** The folder of its files among the resources. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
