package dev.remus.tools.kv;

import java.util.Locale;

/** Another map that repeats the workload, for comparison. */
enum KvBaseline {
    /** No comparison. */
    NONE,
    /** A {@link java.util.concurrent.ConcurrentHashMap} in one process: no map that processes share can be faster. */
    HEAP,
    /** Redis on this machine, with one connection for each thread: what people would use instead. */
    REDIS;

    /** As on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
