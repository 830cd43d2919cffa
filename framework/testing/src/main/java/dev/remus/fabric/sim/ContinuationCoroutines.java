// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * Coroutines that are the JDK's continuations, on which virtual threads are built. One thread runs them all: a switch
 * takes a fraction of the time of a thread switch, and wakes no processor. The class is not part of the Java API, so it
 * is looked up at run time, and is accessible only if the Java VM exports it.
 */
final class ContinuationCoroutines extends Coroutines {
    private static final MethodHandle NEW;
    private static final MethodHandle RUN;
    private static final MethodHandle YIELD;
    private static final MethodHandle IS_DONE;
    private static final MethodHandle STACK_TRACE;

    /** Whether this Java VM has them and exports them. */
    static final boolean AVAILABLE;

    static {
        MethodHandle[] found = new MethodHandle[5];
        boolean available = false;
        try {
            Class<?> continuation = Class.forName("jdk.internal.vm.Continuation");
            Class<?> scope = Class.forName("jdk.internal.vm.ContinuationScope");
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            Object ours = lookup.findConstructor(scope, MethodType.methodType(void.class, String.class))
                    .invoke("remus-simulator");
            MethodHandle make =
                    lookup.findConstructor(continuation, MethodType.methodType(void.class, scope, Runnable.class));
            found[0] = MethodHandles.insertArguments(make, 0, ours)
                    .asType(MethodType.methodType(Object.class, Runnable.class));
            found[1] = lookup.findVirtual(continuation, "run", MethodType.methodType(void.class))
                    .asType(MethodType.methodType(void.class, Object.class));
            MethodHandle yield = lookup.findStatic(continuation, "yield", MethodType.methodType(boolean.class, scope));
            found[2] = MethodHandles.insertArguments(yield, 0, ours).asType(MethodType.methodType(void.class));
            found[3] = lookup.findVirtual(continuation, "isDone", MethodType.methodType(boolean.class))
                    .asType(MethodType.methodType(boolean.class, Object.class));
            found[4] = lookup.findVirtual(
                            continuation, "getStackTrace", MethodType.methodType(StackTraceElement[].class))
                    .asType(MethodType.methodType(StackTraceElement[].class, Object.class));
            available = true;
        } catch (Throwable e) {
            // The Java VM is older, does not export them or has changed them: other coroutines are used.
        }
        NEW = found[0];
        RUN = found[1];
        YIELD = found[2];
        IS_DONE = found[3];
        STACK_TRACE = found[4];
        AVAILABLE = available;
    }

    /** The coroutine to run when the running one is suspended; null if there is none. */
    private @Nullable Continuation next;

    private final class Continuation extends Coroutine {
        private final Object continuation;

        Continuation(Runnable body) {
            try {
                continuation = NEW.invokeExact(body);
            } catch (Throwable e) {
                throw unexpected(e);
            }
        }

        @Override
        void resume() {
            next = this;
        }

        @Override
        void suspend() {
            try {
                YIELD.invokeExact();
            } catch (Throwable e) {
                throw unexpected(e);
            }
        }

        void goOn() {
            try {
                RUN.invokeExact(continuation);
            } catch (Throwable e) {
                throw unexpected(e);
            }
        }

        boolean isDone() {
            try {
                return (boolean) IS_DONE.invokeExact(continuation);
            } catch (Throwable e) {
                throw unexpected(e);
            }
        }

        @Override
        StackTraceElement[] stackTrace() {
            try {
                return (StackTraceElement[]) STACK_TRACE.invokeExact(continuation);
            } catch (Throwable e) {
                throw unexpected(e);
            }
        }
    }

    private static Error unexpected(Throwable e) {
        if (e instanceof RuntimeException runtime) {
            throw runtime;
        }
        return e instanceof Error error ? error : new AssertionError(e);
    }

    @Override
    Coroutine create(Runnable body) {
        return new Continuation(body);
    }

    @Override
    void run(Coroutine first) {
        first.resume();
        while (next != null) {
            Continuation now = next;
            next = null;
            now.goOn();
        }
    }

    @Override
    void stop() {
        next = null;
    }

    @Override
    void finish(Coroutine coroutine) {
        Continuation now = (Continuation) coroutine;
        while (!now.isDone()) {
            now.goOn();
        }
    }

    @Override
    public String toString() {
        return "continuations";
    }
}
