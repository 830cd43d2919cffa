package dev.remus.tools.bench.queues;

import java.util.List;
import java.util.Optional;

/**
 * Under what conditions the queues are compared.
 *
 * @param producers how many threads enqueue
 * @param batch how many items they, and the consumer, move at once
 * @param target the least multiple of the peer's throughput that the buffered queue is to reach
 */
record Race(int producers, int batch, double target) {
    private static final double ONE_BY_ONE = 0.3;
    private static final double BATCHES = 1;

    static final List<Race> ALL = List.of(
            new Race(1, 1, ONE_BY_ONE), new Race(2, 1, ONE_BY_ONE), new Race(1, 16, BATCHES), new Race(2, 16, BATCHES));

    /** What a queue is to reach; the peer and the relaxed queue have nothing to reach. */
    Optional<Double> target(QueueUnderTest subject) {
        return subject == QueueUnderTest.BUFFERED ? Optional.of(target) : Optional.empty();
    }

    @Override
    public String toString() {
        return producers
                + (producers == 1 ? " producer, " : " producers, ")
                + (batch == 1 ? "one by one" : batch + " at a time");
    }
}
