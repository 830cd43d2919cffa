package dev.remus.fabric.sim;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Threads for simulated ones: virtual where this Java has them, since thousands of them then cost little. */
final class SimThreads {
    private static final MethodHandle VIRTUAL = findVirtual();

    private SimThreads() {}

    private static MethodHandle findVirtual() {
        try {
            // Thread.ofVirtual().unstarted(Runnable), which this project cannot name as long as it is built for Java
            // 17.
            Class<?> builder = Class.forName("java.lang.Thread$Builder");
            Class<?> ofVirtual = Class.forName("java.lang.Thread$Builder$OfVirtual");
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            MethodHandle make = lookup.findStatic(Thread.class, "ofVirtual", MethodType.methodType(ofVirtual));
            MethodHandle unstarted =
                    lookup.findVirtual(builder, "unstarted", MethodType.methodType(Thread.class, Runnable.class));
            MethodHandle start = unstarted.asType(MethodType.methodType(Thread.class, ofVirtual, Runnable.class));
            return MethodHandles.foldArguments(start, make);
        } catch (ReflectiveOperationException e) {
            return null; // before Java 21
        }
    }

    /** A thread that has not been started yet. */
    static Thread newThread(String name, Runnable body) {
        if (VIRTUAL != null) {
            try {
                Thread thread = (Thread) VIRTUAL.invokeExact(body);
                thread.setName(name);
                return thread;
            } catch (Throwable e) {
                throw new IllegalStateException("cannot make a virtual thread", e);
            }
        }
        Thread thread = new Thread(null, body, name, 256 << 10);
        thread.setDaemon(true);
        return thread;
    }
}
