// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

/** The values of an option that switches a feature on or off. */
public enum OnOff {
    /** Enabled. */
    ON("on"),
    /** Disabled. */
    OFF("off");

    private final String text;

    OnOff(String text) {
        this.text = text;
    }

    /** As on the command line. */
    @Override
    public String toString() {
        return text;
    }
}
