// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import static dev.remus.simulation.scenario.TroubledCluster.repeated;

import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.node.ComputeThread;
import java.util.function.Supplier;

/** A word of each thread, to which it posts before it does something. A loss of what it has posted must be reported. */
final class PostedWords {
    private final int threads;
    private long words;
    private long value;

    PostedWords(int threads) {
        this.threads = threads;
    }

    /** To be called by one thread before the others. */
    void allocate(ComputeThread ct) {
        words = ct.allocateOn(1, (long) threads * Long.BYTES);
        for (int i = 0; i < threads; i++) {
            ct.write(words + (long) i * Long.BYTES, 0);
        }
    }

    /** Posts a new value before this, both again whenever it reports that the value may be lost. */
    <T> T before(Supplier<T> action, ComputeThread ct) {
        long word = words + (long) ct.id() * Long.BYTES;
        long posted = ++value;
        while (true) {
            ct.post(word, posted);
            try {
                T result = action.get();
                long found = repeated(() -> ct.read(word), ct);
                if (found != posted) {
                    throw new AssertionError(
                            ct + " has posted " + posted + ", and finds " + found + " without a report");
                }
                return result;
            } catch (OutcomeUnknownException e) {
                ct.pause();
            }
        }
    }
}
