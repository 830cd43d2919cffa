// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.scenarios;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The size of a scenario.
 *
 * @param threads the number of threads
 * @param operations the number of operations of each thread
 * @param keys the number of keys that the threads share, or 0
 */
public record Size(int threads, int operations, int keys) {
    private static final Comparator<Size> BY_WORK =
            Comparator.comparingInt(Size::work).thenComparingInt(Size::threads).thenComparingInt(Size::keys);

    private int work() {
        return threads * operations;
    }

    /** All sizes with an even number of threads and fewer operations in total, smallest first. */
    public List<Size> smaller() {
        List<Size> sizes = new ArrayList<>();
        for (int t = 2; t <= threads; t += 2) {
            for (int o = 1; o <= operations && t * o < work(); o++) {
                for (int k = Math.min(1, keys); k <= keys; k++) {
                    sizes.add(new Size(t, o, k));
                }
            }
        }
        sizes.sort(BY_WORK);
        return sizes;
    }

    /** A readable form such as {@code 4 threads, 8 operations each, 3 keys}. */
    @Override
    public String toString() {
        return threads + " threads, " + operations + (operations == 1 ? " operation each" : " operations each")
                + (keys == 0 ? "" : ", " + keys + (keys == 1 ? " key" : " keys"));
    }
}
