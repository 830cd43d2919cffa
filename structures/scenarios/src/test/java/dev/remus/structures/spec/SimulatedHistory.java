// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.check.DeterministicSpecification;
import dev.remus.check.DeterministicSpecification.Step;
import dev.remus.check.History;
import dev.remus.check.Recorder;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Generates histories of imaginary threads that use an object whose operations are atomic. */
final class SimulatedHistory<S, O, R> {
    private final DeterministicSpecification<S, O, R> specification;
    private final Function<Random, O> operations;
    private final BiFunction<Random, O, R> wrongResults;
    private double wrong;
    private double crashes;

    SimulatedHistory(
            DeterministicSpecification<S, O, R> specification,
            Function<Random, O> operations,
            BiFunction<Random, O, R> wrongResults) {
        this.specification = specification;
        this.operations = operations;
        this.wrongResults = wrongResults;
    }

    static <K> SimulatedHistory<?, SetOperation<K>, Boolean> ofSet(Function<Random, K> keys) {
        return new SimulatedHistory<>(
                new WholeSet<>(),
                random -> new SetOperation<>(SetOperation.Kind.values()[random.nextInt(3)], keys.apply(random)),
                (random, operation) -> random.nextBoolean());
    }

    static SimulatedHistory<?, QueueOperation<Integer>, QueueResult<Integer>> ofQueue(int capacity) {
        int[] last = {0};
        return new SimulatedHistory<>(
                new QueueSpecification<>(capacity),
                random -> random.nextBoolean() ? QueueOperation.enqueue(++last[0]) : QueueOperation.dequeue(),
                (random, operation) -> {
                    if (operation.isEnqueue()) {
                        return random.nextBoolean() ? QueueResult.enqueued() : QueueResult.full();
                    }
                    return random.nextInt(4) == 0
                            ? QueueResult.empty()
                            : QueueResult.of(1 + random.nextInt(Math.max(1, last[0])));
                });
    }

    /** Sets the probability that a result is replaced by a random one. */
    SimulatedHistory<S, O, R> withWrongResults(double probability) {
        wrong = probability;
        return this;
    }

    /** Sets the probability that a thread stops in an operation, before or after it takes effect. */
    SimulatedHistory<S, O, R> withCrashes(double probability) {
        crashes = probability;
        return this;
    }

    /** Generates a history of so many operations, or fewer if all threads crash. */
    History<O, R> generate(long seed, int threads, int operationCount) {
        Random random = new Random(seed);
        Recorder<O, R> recorder = new Recorder<>();
        int[] id = new int[threads];
        int[] phase = new int[threads]; // 0 idle, 1 called, 2 done; 3 crashed
        Object[] running = new Object[threads];
        S state = specification.initial();
        int calls = 0;
        for (int crashed = 0, idle = threads;
                crashed < threads && (calls < operationCount || idle + crashed < threads); ) {
            int t = random.nextInt(threads);
            if (phase[t] == 0 && calls < operationCount) {
                O operation = operations.apply(random);
                running[t] = operation;
                id[t] = recorder.call(t, operation);
                phase[t] = 1;
                calls++;
                idle--;
            } else if ((phase[t] == 1 || phase[t] == 2) && random.nextDouble() < crashes) {
                phase[t] = 3;
                crashed++;
            } else if (phase[t] == 1) {
                @SuppressWarnings("unchecked")
                O operation = (O) running[t];
                Step<S, R> step = specification.step(state, operation);
                state = step.state();
                running[t] = random.nextDouble() < wrong ? wrongResults.apply(random, operation) : step.result();
                phase[t] = 2;
            } else if (phase[t] == 2) {
                @SuppressWarnings("unchecked")
                R result = (R) running[t];
                recorder.returned(id[t], result);
                phase[t] = 0;
                idle++;
            }
        }
        return recorder.history();
    }
}
