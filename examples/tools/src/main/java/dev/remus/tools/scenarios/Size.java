package dev.remus.tools.scenarios;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * How large a scenario is.
 *
 * @param threads how many threads
 * @param operations how many operations each does
 * @param keys how many keys they share, 0 where there are none
 */
public record Size(int threads, int operations, int keys) {
    private static final Comparator<Size> BY_WORK =
            Comparator.comparingInt(Size::work).thenComparingInt(Size::threads).thenComparingInt(Size::keys);

    private int work() {
        return threads * operations;
    }

    /** All sizes with an even number of threads and fewer operations in all, the smallest first. */
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

    /** For people. */
    @Override
    public String toString() {
        return threads + " threads, " + operations + (operations == 1 ? " operation each" : " operations each")
                + (keys == 0 ? "" : ", " + keys + (keys == 1 ? " key" : " keys"));
    }
}
