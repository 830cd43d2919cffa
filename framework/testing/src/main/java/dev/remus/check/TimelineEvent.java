// SPDX-License-Identifier: Apache-2.0
package dev.remus.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A call or a return in a history. */
record TimelineEvent(long moment, boolean isReturn, Invocation<?, ?> invocation) {
    private static final Comparator<TimelineEvent> ORDER = Comparator.comparingLong(TimelineEvent::moment)
            .thenComparing(TimelineEvent::isReturn)
            .thenComparing(e -> e.invocation().id());

    /** Calls and returns in the order of time; what is pending ends at the end. */
    static List<TimelineEvent> of(History<?, ?> history) {
        List<TimelineEvent> events = new ArrayList<>();
        for (Invocation<?, ?> invocation : history.invocations()) {
            events.add(new TimelineEvent(invocation.called(), false, invocation));
            events.add(new TimelineEvent(invocation.returned(), true, invocation));
        }
        events.sort(ORDER);
        return events;
    }

    /** The result of its invocation, as it is drawn. */
    String result() {
        return result(invocation);
    }

    /** The result of an invocation, as it is drawn. */
    static String result(Invocation<?, ?> invocation) {
        return invocation.isPending() ? "pending" : String.valueOf(invocation.result());
    }
}
