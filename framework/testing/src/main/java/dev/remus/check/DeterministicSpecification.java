// SPDX-License-Identifier: Apache-2.0
package dev.remus.check;

import java.util.List;
import java.util.Objects;

/**
 * A specification in which the state and the operation determine the result, as they do for most objects. One method
 * defines it.
 *
 * @param <S> states; not null, immutable, with {@code equals} and {@code hashCode}
 * @param <O> operations
 * @param <R> results, with {@code equals}
 */
public interface DeterministicSpecification<S, O, R> extends Specification<S, O, R> {
    /**
     * The outcome of an operation.
     *
     * @param state the state after it
     * @param result what it returns
     * @param <S> states
     * @param <R> results
     */
    record Step<S, R>(S state, R result) {}

    /** Carries out an operation. */
    Step<S, R> step(S state, O operation);

    @Override
    default List<S> after(S state, O operation, R result) {
        Step<S, R> step = step(state, operation);
        return Objects.equals(step.result(), result) ? List.of(step.state()) : List.of();
    }

    @Override
    default List<S> afterPending(S state, O operation) {
        return List.of(step(state, operation).state());
    }
}
