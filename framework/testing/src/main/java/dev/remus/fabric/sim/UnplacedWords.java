// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import java.util.Arrays;

/** The words of executed WRITEs that are on their way to memory, in the order in which they left. A ring that grows. */
final class UnplacedWords {
    private SimSegment[] segment = new SimSegment[8];
    private long[] offset = new long[8];
    private long[] value = new long[8];
    private long[] request = new long[8];
    private int first;
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    /** The number of the request to which the first word belongs. */
    long firstRequest() {
        return request[first];
    }

    /** The number of the first word. */
    long firstWord() {
        return segment[first].word(offset[first]);
    }

    void add(SimSegment toSegment, long toOffset, long newValue, long ofRequest) {
        if (size == segment.length) {
            grow();
        }
        int at = (first + size) & (segment.length - 1);
        segment[at] = toSegment;
        offset[at] = toOffset;
        value[at] = newValue;
        request[at] = ofRequest;
        size++;
    }

    int size() {
        return size;
    }

    /** Whether one of them is at an offset from {@code from} to {@code to}, which is excluded. */
    boolean isFor(SimSegment toSegment, long from, long to) {
        for (int i = 0; i < size; i++) {
            int at = (first + i) & (segment.length - 1);
            if (segment[at] == toSegment && offset[at] >= from && offset[at] < to) {
                return true;
            }
        }
        return false;
    }

    /** Places the first word in memory. */
    void place() {
        int at = first;
        first = (first + 1) & (segment.length - 1);
        size--;
        segment[at].set(offset[at], value[at]);
    }

    /** Forgets the last words of these requests and later ones; of all their words, so many are kept. */
    void lose(long fromRequest, int kept) {
        int certain = size - count(fromRequest);
        size = Math.min(size, certain + kept);
    }

    /** The number of words of these requests and later ones. */
    int count(long fromRequest) {
        int count = 0;
        for (int i = 0; i < size; i++) {
            count += request[(first + i) & (segment.length - 1)] >= fromRequest ? 1 : 0;
        }
        return count;
    }

    private void grow() {
        int length = segment.length;
        SimSegment[] segments = Arrays.copyOf(segment, 2 * length);
        long[] offsets = Arrays.copyOf(offset, 2 * length);
        long[] values = Arrays.copyOf(value, 2 * length);
        long[] requests = Arrays.copyOf(request, 2 * length);
        for (int i = 0; i < size; i++) {
            int at = (first + i) & (length - 1);
            segments[i] = segment[at];
            offsets[i] = offset[at];
            values[i] = value[at];
            requests[i] = request[at];
        }
        segment = segments;
        offset = offsets;
        value = values;
        request = requests;
        first = 0;
    }
}
