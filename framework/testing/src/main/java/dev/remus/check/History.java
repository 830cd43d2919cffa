// SPDX-License-Identifier: Apache-2.0
package dev.remus.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What concurrent threads did, and what they saw of it. Immutable; iterates in the order of the calls.
 *
 * <p>Moments are ordered, and nothing else about them matters. A call and a return at one moment overlap.
 *
 * @param <O> operations
 * @param <R> results
 */
public final class History<O, R> {
    private static final Comparator<Invocation<?, ?>> BY_CALL =
            Comparator.<Invocation<?, ?>>comparingLong(Invocation::called).thenComparingInt(Invocation::id);

    private final List<Invocation<O, R>> invocations;

    private History(List<Invocation<O, R>> sorted) {
        invocations = List.copyOf(sorted);
    }

    /**
     * A history of these invocations, in any order.
     *
     * @throws IllegalArgumentException if two of them have the same id
     */
    public static <O, R> History<O, R> of(List<Invocation<O, R>> invocations) {
        Set<Integer> ids = new HashSet<>();
        for (Invocation<O, R> invocation : invocations) {
            if (!ids.add(invocation.id())) {
                throw new IllegalArgumentException(
                        "id " + invocation.id() + " of " + invocation + " is taken: each invocation needs its own");
            }
        }
        return sorted(invocations);
    }

    /** The same for those who know that the ids differ. */
    static <O, R> History<O, R> sorted(List<Invocation<O, R>> invocations) {
        List<Invocation<O, R>> sorted = new ArrayList<>(invocations);
        sorted.sort(BY_CALL);
        return new History<>(sorted);
    }

    /** All invocations, by moment of call. */
    public List<Invocation<O, R>> invocations() {
        return invocations;
    }

    /** How many invocations. */
    public int size() {
        return invocations.size();
    }

    /** How many invocations did not return. */
    public int pending() {
        return (int) invocations.stream().filter(Invocation::isPending).count();
    }

    /** The threads that took part, in ascending order. */
    public List<Integer> threads() {
        return invocations.stream().map(Invocation::thread).distinct().sorted().toList();
    }

    /** A history of some of the invocations, unchanged. */
    public History<O, R> only(Predicate<? super Invocation<O, R>> kept) {
        return new History<>(invocations.stream().filter(kept).toList());
    }

    /** Two histories are equal if their invocations are. */
    @Override
    public boolean equals(Object other) {
        return other instanceof History<?, ?> that && invocations.equals(that.invocations);
    }

    @Override
    public int hashCode() {
        return invocations.hashCode();
    }

    /** One line; a {@link Timeline} is for people. */
    @Override
    public String toString() {
        return invocations.toString();
    }
}
