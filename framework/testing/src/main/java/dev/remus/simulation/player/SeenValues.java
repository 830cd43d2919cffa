// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.player;

import dev.remus.fabric.Operation;
import dev.remus.fabric.sim.PostedRequest;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The values that words have had in a run, and those that requests have read or were to write there. */
final class SeenValues {
    private final Map<Long, Set<Long>> values = new HashMap<>();

    /** The values in a recording. */
    static SeenValues of(Recording recording) {
        SeenValues seen = new SeenValues();
        recording.memory().first().forEach(seen::add);
        Map<Long, PostedRequest> requests = new HashMap<>();
        for (RecordedMoment moment : recording.moments()) {
            for (Event event : moment.events()) {
                if (event instanceof Event.Changed changed) {
                    seen.add(changed.pointer(), changed.before());
                    seen.add(changed.pointer(), changed.after());
                } else if (event instanceof Event.Posted posted) {
                    requests.put(posted.request().number(), posted.request());
                    seen.addOperands(posted.request());
                } else if (event instanceof Event.Ended ended) {
                    seen.addResults(requests.get(ended.request()), ended.values());
                }
            }
        }
        return seen;
    }

    private void addOperands(PostedRequest request) {
        List<Long> operands = request.operands();
        switch (request.operation()) {
            case WRITE -> {
                for (int i = 0; i < operands.size(); i++) {
                    add(request.pointer() + (long) i * Long.BYTES, operands.get(i));
                }
            }
            case COMPARE_AND_SWAP -> operands.forEach(operand -> add(request.pointer(), operand));
            default -> {} // READs have none, and that of a FETCH_AND_ADD is no value of the word
        }
    }

    private void addResults(@Nullable PostedRequest request, long[] results) {
        if (request == null) {
            return; // it was posted at a moment that was dropped
        }
        for (int i = 0; i < results.length; i++) {
            add(request.pointer() + (long) i * Long.BYTES, results[i]);
        }
        if (request.operation() == Operation.FETCH_AND_ADD && results.length > 0) {
            add(request.pointer(), results[0] + request.operands().get(0));
        }
    }

    private void add(long word, long value) {
        values.computeIfAbsent(word, w -> new LinkedHashSet<>()).add(value);
    }

    /** The values of a word. */
    Set<Long> of(long word) {
        return values.getOrDefault(word, Set.of());
    }
}
