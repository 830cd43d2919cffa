// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSpec;
import dev.remus.tools.queue.QueueKind;
import java.util.List;
import java.util.stream.Stream;

/**
 * Measurements of all queues in rounds.
 *
 * @param rounds the number of rounds, after one to warm up
 * @param operations the operations of each thread in a race at most
 * @param millis the duration of each measurement
 */
record LockFreeRounds(int rounds, int operations, long millis) {
    private static final OptionSpec<Long> ROUNDS = OptionSpec.integer(
                    "--rounds", 1, 1000, "Number of interleaved measurements of each queue, after one warm-up")
            .withDefault(9L);

    private static final OptionSpec<Long> OPERATIONS = OptionSpec.integer(
                    "--operations", 1, 1_000_000, "Number of operations of each thread in a race, at most")
            .withDefault(100_000L);

    private static final OptionSpec<Long> MILLIS = OptionSpec.integer(
                    "--millis",
                    1,
                    600_000,
                    "Duration of each measurement in milliseconds: a race is repeated until it is reached")
            .withDefault(2_000L);

    /** The options for it, before others. */
    static OptionGroup group(OptionSpec<?>... others) {
        return new OptionGroup(
                "Measuring",
                Stream.concat(Stream.of(ROUNDS, MILLIS, OPERATIONS), Stream.of(others))
                        .toArray(OptionSpec<?>[]::new));
    }

    static LockFreeRounds of(Arguments arguments) {
        return new LockFreeRounds(
                arguments.get(ROUNDS).intValue(), arguments.get(OPERATIONS).intValue(), arguments.get(MILLIS));
    }

    /** The words of a command line for the same. */
    List<String> words() {
        return List.of(
                ROUNDS.name() + "=" + rounds, OPERATIONS.name() + "=" + operations, MILLIS.name() + "=" + millis);
    }

    /** Receives measurements; round 0 is the warm-up. */
    interface Sink {
        void accept(int round, LockFreeRacer racer, LockFreeRace.Result result);
    }

    /** The number of all measurements, with those of the warm-up. */
    long measurements() {
        return (rounds + 1L) * LockFreeRacer.all().size();
    }

    /**
     * Measures; called in each process.
     *
     * @param sink called in the process of the first thread only
     */
    void run(LockFreeThreads threads, Sink sink) throws Exception {
        List<LockFreeRacer> racers = LockFreeRacer.all();
        try (MpiQueue overMpi = threads.hasFirst() && MpiProgram.isInstalled() ? MpiQueue.compile() : null) {
            for (int round = 0; round <= rounds; round++) {
                for (LockFreeRacer racer : racers) {
                    LockFreeRace.Result result = LockFreeRace.Result.NONE;
                    QueueKind kind = racer.kind();
                    if (kind != null) {
                        result = new LockFreeRace(kind, operations, millis).repeat(threads);
                    } else if (overMpi != null) {
                        result = overMpi.repeat(threads.count(), operations, millis);
                    }
                    if (threads.hasFirst()) {
                        sink.accept(round, racer, result);
                    }
                    threads.await(); // while processes of MPI run
                }
            }
        }
    }
}
