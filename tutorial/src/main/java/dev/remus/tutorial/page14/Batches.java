// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page14;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.CostModel;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codecs;
import dev.remus.structures.Encoding;
import dev.remus.structures.RemoteHashMap;
import dev.remus.tools.harness.ModelRun;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;

/** Stores words and looks for keys on modelled hardware, one by one and in batches. */
public final class Batches {
    private static final int COUNT = 64;
    private static final int MOST_AT_ONCE = 64;
    private static final double NANOS_PER_MICRO = 1e3;

    private Batches() {}

    /** Takes nothing, or the number of Memory Nodes. */
    public static void main(String... args) throws Exception {
        int memoryNodes = args.length > 0 ? Integer.parseInt(args[0]) : 1;
        ClusterConfig config = ClusterConfig.builder()
                .memoryNodes(0, memoryNodes - 1)
                .computeNodes(memoryNodes, memoryNodes)
                .threadsPerNode(1)
                .opsPerThread(MOST_AT_ONCE)
                .build();
        new ModelRun(config, CostModel.read("infiniband-fdr"), 1).run("batches", Batches::run);
    }

    // #region run
    private static void run(ComputeThread ct) {
        long[] words = new long[COUNT];
        for (int i = 0; i < COUNT; i++) {
            words[i] = ct.allocate(Long.BYTES);
        }
        System.out.println("                        round trips       µs");
        measure("64 stores, one by one", ct, () -> {
            for (long word : words) {
                ct.write(word, 1);
            }
        });
        measure("64 stores, posted", ct, () -> {
            for (long word : words) {
                ct.post(word, 2);
            }
            ct.place();
        });
        Encoding<Long> longs = Encoding.of(Codecs.LONG);
        RemoteHashMap<Long, Long> map = new RemoteHashMap<>(RemoteHashMap.create(ct), longs, longs, ct);
        List<Long> keys = LongStream.range(0, COUNT).boxed().toList();
        keys.forEach(key -> map.put(key, key, ct));
        measure("64 gets, one by one", ct, () -> keys.forEach(key -> map.get(key, ct)));
        measure("64 gets, one getAll", ct, () -> map.getAll(keys, ct));
    }

    private static void measure(String name, ComputeThread ct, Runnable operations) {
        long before = ct.metrics().roundTrips();
        long start = ct.nanoTime();
        operations.run();
        double micros = (ct.nanoTime() - start) / NANOS_PER_MICRO;
        long roundTrips = ct.metrics().roundTrips() - before;
        System.out.printf(Locale.ROOT, "%-22s %12d %8.1f%n", name, roundTrips, micros);
    }
    // #endregion run
}
