package @PACKAGE@;

import dev.remus.config.ClusterConfig;
import dev.remus.node.ComputeNode;
import dev.remus.node.MemoryNode;

/** A benchmark on shared memory, with a Memory Node and four Compute Threads in this process. */
public final class @CLASS@Benchmark {
    private static final int WARM_UP = 20_000;
    private static final int OPERATIONS = 200_000;

    private @CLASS@Benchmark() {}

    /** Runs the benchmark; it takes no arguments. */
    public static void main(String[] args) throws Exception {
        ClusterConfig config = ClusterConfig.builder()
                .cluster("@NAME@-" + ProcessHandle.current().pid())
                .memoryNodes(0, 0)
                .computeNodes(0, 0)
                .threadsPerNode(4)
                .build();
        try (MemoryNode memory = MemoryNode.start(config, 0);
                ComputeNode compute = ComputeNode.connect(config, 0)) {
            compute.runThreads(ct -> {
                if (ct.id() == 0) {
                    ct.root().set(@CLASS@.create(ct));
                }
                ct.barrier();
                @CLASS@ structure = new @CLASS@(ct.root().get());
                for (int i = 0; i < WARM_UP; i++) {
                    structure.add(1, ct);
                }
                ct.barrier();
                long trips = ct.metrics().roundTrips();
                long start = ct.nanoTime();
                for (int i = 0; i < OPERATIONS; i++) {
                    structure.add(1, ct);
                }
                double tripsEach = (double) (ct.metrics().roundTrips() - trips) / OPERATIONS;
                ct.barrier();
                double seconds = (ct.nanoTime() - start) / 1e9;
                if (ct.id() == 0) {
                    long expected = (long) ct.threads() * (WARM_UP + OPERATIONS);
                    System.out.printf("%,.0f operations per second with %d threads, %.2f round trips each%n",
                            ct.threads() * OPERATIONS / seconds, ct.threads(), tripsEach);
                    System.out.println("books: " + structure.get(ct) + " counted, " + expected + " added: "
                            + (structure.get(ct) == expected ? "balanced" : "NOT BALANCED"));
                }
                ct.barrier();
            });
        }
    }
}
