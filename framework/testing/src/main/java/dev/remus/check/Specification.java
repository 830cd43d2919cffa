// SPDX-License-Identifier: Apache-2.0
package dev.remus.check;

import java.util.List;

/**
 * What an object does when one thread uses it: the yardstick for what many may see of it. Most objects are described
 * more shortly by a {@link DeterministicSpecification}.
 *
 * @param <S> states; not null, immutable, with {@code equals} and {@code hashCode}, which the checkers call often
 * @param <O> operations; {@code equals} helps the checkers to see that two pending ones are alike
 * @param <R> results
 */
public interface Specification<S, O, R> {
    /** The state before the first operation. */
    S initial();

    /**
     * The states in which an operation may leave the object, if it returns this result. Usually one.
     *
     * @return empty if it cannot return this result in this state
     */
    List<S> after(S state, O operation, R result);

    /**
     * The states in which an operation may leave the object, whatever it returns. That it did not happen at all need
     * not be among them: the checkers think of that themselves.
     *
     * @return empty if it cannot happen in this state
     */
    List<S> afterPending(S state, O operation);

    /**
     * Which part of the object an operation works on, if the object consists of parts that know nothing of each other,
     * such as the keys of a set. The parts are then checked one by one, each with the states of this specification,
     * which is very much faster and comes to the same.
     *
     * <p>Source: A. Horn and D. Kroening, "Faster linearizability checking via P-compositionality", FORTE 2015 (arXiv
     * 1504.00204); for whole objects M. Herlihy and J. Wing, "Linearizability: A Correctness Condition for Concurrent
     * Objects", TOPLAS 12(3), 1990, theorem 1 (locality).
     *
     * @return a value with {@code equals} and {@code hashCode}, not null; here the same for all operations
     */
    default Object partOf(O operation) {
        return "all";
    }

    /**
     * Whether an operation leaves the object as it was whenever it returns this result, in whatever state: a query, or
     * one that failed. The checkers then need not try it at several places, which saves much work. Here: never.
     */
    default boolean changesNothing(O operation, R result) {
        return false;
    }

    /**
     * A specification that allows the same complete orders of this history, but detects earlier that an order cannot be
     * completed, because it has seen the whole history. It may have fewer states than this one. By default, this one.
     *
     * <p>Worth while where a wrong choice shows late, as in a queue, whose items lie there for some time before their
     * order is seen.
     *
     * @param history a history, or a part of one, that is about to be checked
     */
    default Specification<?, O, R> knowing(History<O, R> history) {
        return this;
    }
}
