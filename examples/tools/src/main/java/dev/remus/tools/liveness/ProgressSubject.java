// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.liveness;

import dev.remus.config.Reclamation;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A structure whose methods are measured.
 *
 * @param name its name on the command line
 * @param reclamation how its memory is reclaimed
 * @param creator creates it, in one thread
 * @param opener opens it for a thread and returns the thread's calls
 */
record ProgressSubject(
        String name,
        Reclamation reclamation,
        Function<ComputeThread, RdmaPtr<?>> creator,
        BiFunction<RdmaPtr<?>, ComputeThread, List<Call>> opener) {
    /** A subject whose memory is not reclaimed while it is measured. */
    ProgressSubject(
            String name,
            Function<ComputeThread, RdmaPtr<?>> creator,
            BiFunction<RdmaPtr<?>, ComputeThread, List<Call>> opener) {
        this(name, Reclamation.BARRIER, creator, opener);
    }

    /** Does a method's work once. */
    @FunctionalInterface
    interface Body {
        void run(SplittableRandom random);
    }

    /**
     * A method as one thread calls it.
     *
     * @param method its name
     * @param promise the promise in the structure's class comment
     * @param body the call
     * @param next the call that the thread makes afterwards; null if any may follow
     */
    record Call(
            String method,
            Promise promise,
            Body body,
            @Nullable Next next) {
        Call(String method, Promise promise, Body body) {
            this(method, promise, body, null);
        }

        /** The same call, with another one that follows it if a condition holds then. */
        Call then(BooleanSupplier condition, Call call) {
            return new Call(method, promise, body, new Next(condition, call));
        }

        Call then(String method, Promise promise, Runnable body) {
            return then(() -> true, new Call(method, promise, random -> body.run()));
        }
    }

    /** A call that follows another one, as a release does an acquisition, if a condition holds. */
    record Next(BooleanSupplier condition, Call call) {}
}
