package @PACKAGE@;

import dev.remus.config.ClusterConfig;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.node.MemoryNode;

/** A benchmark on shared memory, with a Memory Node and four Compute Threads in this process. */
public final class @CLASS@Benchmark {
    private static final int WARM_UP = 20_000;
    private static final int OPERATIONS = 100_000; // of each thread
    private static final int KEYS = 64; // of each thread
    private static final int BUCKETS = 64; // of 16 cells each

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
            compute.runThreads(@CLASS@Benchmark::run);
        }
    }

    private static void run(ComputeThread ct) {
        if (ct.id() == 0) {
            ct.root().set(@CLASS@.create(BUCKETS, ct));
        }
        ct.barrier();
        @CLASS@ structure = new @CLASS@(ct.root().get(), ct);
        repeat(WARM_UP, structure, ct);
        ct.barrier();
        long trips = ct.metrics().roundTrips();
        long start = ct.nanoTime();
        repeat(OPERATIONS, structure, ct);
        double tripsEach = (double) (ct.metrics().roundTrips() - trips) / OPERATIONS;
        ct.barrier();
        double seconds = (ct.nanoTime() - start) / 1e9;
        if (ct.id() == 0) {
            System.out.printf("%,.0f operations per second with %d threads, %.2f round trips each%n",
                    ct.threads() * OPERATIONS / seconds, ct.threads(), tripsEach);
            int left = left(structure, ct);
            System.out.println("books: " + left + " left, 0 expected: " + (left == 0 ? "balanced" : "NOT BALANCED"));
        }
        ct.barrier();
    }

    /** Runs so many operations on keys of this thread's own: get, put, get, remove. */
    private static void repeat(int operations, @CLASS@ structure, ComputeThread ct) {
        for (int i = 0; i < operations; i += 4) {
            long key = 1 + (long) (i / 4 % KEYS) * ct.threads() + ct.id();
            structure.get(key, ct);
            structure.put(key, i + 1, ct);
            structure.get(key, ct);
            structure.remove(key, ct);
            ct.quiescent(); // between operations, so this thread holds no pointers
        }
    }

    private static int left(@CLASS@ structure, ComputeThread ct) {
        int left = 0;
        for (int key = 1; key <= KEYS * ct.threads(); key++) {
            left += structure.get(key, ct).isPresent() ? 1 : 0;
        }
        return left;
    }
}
