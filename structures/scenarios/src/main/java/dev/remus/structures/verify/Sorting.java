// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.verify;

import java.util.function.IntBinaryOperator;

/** Sorts numbers of operations, of which there are millions, without an object for each. */
final class Sorting {
    private Sorting() {}

    /**
     * The numbers below {@code size} in an order; equal ones keep theirs. A merge sort.
     *
     * @param comparator is below 0 if its first argument comes first
     */
    static int[] sorted(int size, IntBinaryOperator comparator) {
        int[] from = new int[size];
        for (int i = 0; i < size; i++) {
            from[i] = i;
        }
        int[] to = new int[size];
        for (long run = 1; run < size; run *= 2) {
            for (long start = 0; start < size; start += 2 * run) {
                int middle = (int) Math.min(size, start + run);
                merge(from, to, (int) start, middle, (int) Math.min(size, start + 2 * run), comparator);
            }
            int[] swapped = from;
            from = to;
            to = swapped;
        }
        return from;
    }

    private static void merge(int[] from, int[] to, int start, int middle, int end, IntBinaryOperator comparator) {
        int left = start;
        int right = middle;
        for (int i = start; i < end; i++) {
            boolean takesLeft = right == end || left < middle && comparator.applyAsInt(from[left], from[right]) <= 0;
            to[i] = takesLeft ? from[left++] : from[right++];
        }
    }
}
