// SPDX-License-Identifier: Apache-2.0
package dev.remus.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * Stretches the operations of a history to the nearest quiescent moments, so that two of them overlap exactly if there
 * is no quiescent moment between them.
 */
final class Quiescence {
    private Quiescence() {}

    private record Event(long moment, boolean isReturn, int invocation) {
        static final Comparator<Event> ORDER = Comparator.comparingLong(Event::moment)
                .thenComparing(Event::isReturn) // at one moment calls come first: the operations overlap
                .thenComparingInt(Event::invocation);
    }

    /** @param counts the operations that must not be in flight at a quiescent moment */
    static <O, R> History<O, R> stretch(History<O, R> history, Predicate<? super O> counts) {
        List<Invocation<O, R>> invocations = history.invocations();
        List<Event> events = events(invocations);
        // A moment is the rank of an event where the quiet ends or begins, and then the rank of the operation's own
        // event: so those that are stretched to one event keep their order.
        long scale = events.size() + 1L;
        long[] called = new long[invocations.size()];
        long[] returned = new long[invocations.size()];
        List<Integer> waiting = new ArrayList<>(); // ranks of the returns since the quiet ended
        int inFlight = 0;
        int busySince = 0;
        for (int rank = 0; rank < events.size(); rank++) {
            Event event = events.get(rank);
            boolean counting = counts.test(invocations.get(event.invocation()).operation());
            if (event.isReturn()) {
                inFlight -= counting ? 1 : 0;
                waiting.add(rank);
            } else {
                busySince = inFlight == 0 ? rank : busySince;
                inFlight += counting ? 1 : 0;
                called[event.invocation()] = busySince * scale + rank;
            }
            if (inFlight == 0) {
                release(waiting, events, rank * scale, returned);
            }
        }
        release(waiting, events, events.size() * scale, returned);
        List<Invocation<O, R>> stretched = new ArrayList<>(invocations.size());
        for (int i = 0; i < invocations.size(); i++) {
            Invocation<O, R> original = invocations.get(i);
            stretched.add(original.during(called[i], original.isPending() ? Invocation.PENDING : returned[i]));
        }
        return History.sorted(stretched);
    }

    private static void release(List<Integer> waiting, List<Event> events, long moment, long[] returned) {
        for (int rank : waiting) {
            returned[events.get(rank).invocation()] = moment + rank;
        }
        waiting.clear();
    }

    private static List<Event> events(List<? extends Invocation<?, ?>> invocations) {
        List<Event> events = new ArrayList<>(2 * invocations.size());
        for (int i = 0; i < invocations.size(); i++) {
            Invocation<?, ?> invocation = invocations.get(i);
            events.add(new Event(invocation.called(), false, i));
            if (!invocation.isPending()) {
                events.add(new Event(invocation.returned(), true, i));
            }
        }
        events.sort(Event.ORDER);
        return events;
    }
}
