// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.queues;

import java.util.List;
import java.util.Optional;

/**
 * The conditions of a comparison of queues.
 *
 * @param producers the number of threads that enqueue
 * @param batch the number of items that producers and consumer move at once
 * @param target the throughput required of the buffered queue, as a multiple of the reference's
 */
record Race(int producers, int batch, double target) {
    private static final double ONE_BY_ONE = 0.9;
    private static final double BATCHES = 1;

    static final List<Race> ALL = List.of(
            new Race(1, 1, ONE_BY_ONE), new Race(2, 1, ONE_BY_ONE), new Race(1, 16, BATCHES), new Race(2, 16, BATCHES));

    /** The target of the buffered queue, in both forms; the reference and the relaxed queue have none. */
    Optional<Double> target(QueueUnderTest subject) {
        return subject == QueueUnderTest.BUFFERED || subject == QueueUnderTest.LONGS
                ? Optional.of(target)
                : Optional.empty();
    }

    @Override
    public String toString() {
        return producers
                + (producers == 1 ? " producer, " : " producers, ")
                + (batch == 1 ? "one by one" : batch + " at a time");
    }
}
