package @PACKAGE@;

import dev.remus.config.ClusterConfig;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.node.MemoryNode;

/** A benchmark on shared memory, with a Memory Node and four Compute Threads in this process. */
public final class @CLASS@Benchmark {
    private static final int WARM_UP = 20_000;
    private static final int OPERATIONS = 100_000; // of each thread

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
            ct.root().set(@CLASS@.create(ct));
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

    /** Runs so many operations on 64 keys of this thread's own: contains, insert, contains, remove. */
    private static void repeat(int operations, @CLASS@ structure, ComputeThread ct) {
        for (int i = 0; i < operations; i += 4) {
            long key = (long) (i / 4 % 64) * ct.threads() + ct.id();
            structure.contains(key, ct);
            structure.insert(key, ct);
            structure.contains(key, ct);
            structure.remove(key, ct);
            ct.quiescent(); // between operations, so this thread holds no pointers
        }
    }

    private static int left(@CLASS@ structure, ComputeThread ct) {
        int left = 0;
        for (int key = 0; key < 64 * ct.threads(); key++) {
            left += structure.contains(key, ct) ? 1 : 0;
        }
        return left;
    }
}
