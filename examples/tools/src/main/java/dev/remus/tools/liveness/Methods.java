// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.liveness;

import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.tools.liveness.ProgressSubject.Call;
import java.util.ArrayList;
import java.util.List;

/** The methods that the threads of a cluster call; a thread may call only some of them. */
final class Methods {
    private final ProgressSubject subject;

    Methods(ProgressSubject subject) {
        this.subject = subject;
    }

    /** The calls of all threads, with duplicates. */
    List<Call> calls() {
        List<Call> calls = new ArrayList<>();
        try {
            new SimulatedCluster(
                            SimulatedCluster.small(2)
                                    .reclaim(subject.reclamation())
                                    .build(),
                            Schedule.random(1))
                    .prepared(ct -> {
                        if (ct.id() == 0) {
                            ct.root().set(subject.creator().apply(ct));
                        }
                    })
                    .run(ct -> calls.addAll(subject.opener().apply(ct.root().get(), ct)));
        } catch (Exception e) {
            throw new IllegalStateException(subject.name() + " cannot be opened", e);
        }
        return calls;
    }
}
