// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The virtual threads of Java 21 and later, for code that is compiled for Java 17.
 *
 * <p>The JDK runs all virtual threads of a process on one pool of carrier threads. It reads the size of the pool from
 * system properties when the first virtual thread starts.
 */
public final class VirtualThreads {
    private static final String PARALLELISM = "jdk.virtualThreadScheduler.parallelism";
    private static final String MAX_POOL_SIZE = "jdk.virtualThreadScheduler.maxPoolSize";
    private static final String CARRIER = "jdk.internal.misc.CarrierThread";

    /** {@code Thread.isVirtual()}; null before Java 21. */
    private static final @Nullable MethodHandle IS_VIRTUAL =
            find(MethodHandles.lookup(), Thread.class, "isVirtual", MethodType.methodType(boolean.class));

    private VirtualThreads() {}

    private static @Nullable MethodHandle find(
            MethodHandles.Lookup lookup, Class<?> type, String name, MethodType method) {
        try {
            return lookup.findVirtual(type, name, method);
        } catch (NoSuchMethodException e) {
            return null;
        } catch (IllegalAccessException e) {
            throw new LinkageError("a public method cannot be called", e);
        }
    }

    /** Whether this Java has virtual threads. */
    public static boolean exist() {
        return IS_VIRTUAL != null;
    }

    /** The JVM options for a process whose virtual threads use so many processors at once; 0 for all. */
    public static List<String> flags(int carriers) {
        return carriers == 0
                ? List.of()
                : List.of("-D" + PARALLELISM + "=" + carriers, "-D" + MAX_POOL_SIZE + "=" + carriers);
    }

    /** Whether a thread is virtual. */
    static boolean isVirtual(Thread thread) {
        if (IS_VIRTUAL == null) {
            return false;
        }
        try {
            return (boolean) IS_VIRTUAL.invokeExact(thread);
        } catch (Throwable e) {
            throw new AssertionError("Thread.isVirtual() does not throw", e);
        }
    }

    /** Implements {@link Environment#startVirtual}. */
    static Thread start(String name, int carriers, Runnable body) {
        if (carriers > 0) {
            bound(carriers);
        }
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            Class<?> type = Class.forName("java.lang.Thread$Builder");
            Object named = type.getMethod("name", String.class).invoke(builder, name);
            return (Thread) type.getMethod("start", Runnable.class).invoke(named, body);
        } catch (ReflectiveOperationException e) {
            throw new FabricException(
                    "this Java " + Runtime.version().feature()
                            + " starts no virtual threads; it needs to be 21 or later",
                    e);
        }
    }

    /** Fixes the number of carriers before the first virtual thread starts. */
    private static synchronized void bound(int carriers) {
        String wanted = Integer.toString(carriers);
        String present = System.getProperty(PARALLELISM);
        if (wanted.equals(present)) {
            return;
        }
        if (present != null || hasCarriers()) {
            throw new FabricException("the virtual threads of this process already use "
                    + (present == null ? "all processors" : present + " processors") + " at once, not " + carriers
                    + ": a process fixes the number with its first virtual thread; to choose it, start the JVM with "
                    + String.join(" ", flags(carriers)));
        }
        System.setProperty(PARALLELISM, wanted);
        System.setProperty(MAX_POOL_SIZE, wanted);
    }

    /** Whether a carrier runs: they end when they have been idle for half a minute. */
    private static boolean hasCarriers() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getClass().getName().equals(CARRIER));
    }
}
