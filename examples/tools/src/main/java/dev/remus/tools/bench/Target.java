// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import java.util.Locale;

/**
 * The time allowed relative to a reference: a multiple, or an addition.
 *
 * @param factor of the reference's time
 * @param nanos added to that
 */
record Target(double factor, double nanos) {
    static Target times(double factor) {
        return new Target(factor, 0);
    }

    static Target plusNanos(double nanos) {
        return new Target(1, nanos);
    }

    boolean isMetBy(double measured, double reference) {
        return measured <= reference * factor + nanos;
    }

    @Override
    public String toString() {
        return nanos == 0 ? "<= " + factor + "x" : String.format(Locale.ROOT, "<= +%.1f ns", nanos);
    }
}
