package dev.remus.fabric;

import dev.remus.config.ClusterConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A node in a process of its own, driven by the lines of its standard input:
 *
 * <pre>
 *  get SEGMENT OFFSET          Memory Node: the word there
 *  set SEGMENT OFFSET VALUE    Memory Node: sets it
 *  peer NODE                   Memory Node: what it knows about a Compute Node
 *  count SEGMENT OFFSET N      Compute Node: N increments by FETCH_AND_ADD there and N by COMPARE_AND_SWAP behind it
 *  come-and-go NODE N          opens a Compute Node, connects it and closes it, N times
 *  finish                      closes all and ends
 * </pre>
 *
 * When its input ends, because the tests have died, it ends too.
 */
final class NodeMain {
    /** What the answers start with. */
    static final String ANSWER = "answer: ";

    private final Fabric fabric;
    private final ClusterConfig config;
    private final MemoryEndpoint memory;
    private final ComputeEndpoint compute;
    private final TestClient client;

    NodeMain(String role, Fabric fabric, ClusterConfig config, int node) {
        this.fabric = fabric;
        this.config = config;
        if (role.equals("memory")) {
            memory = fabric.openMemory(config, node);
            memory.publish();
            compute = null;
            client = null;
        } else {
            memory = null;
            compute = fabric.openCompute(config, node);
            client = new TestClient(compute, compute.connect(config.firstMemoryNode(), 2, TestEndpoints.PATIENCE));
        }
    }

    public static void main(String[] args) throws ReflectiveOperationException, IOException {
        Fabric fabric = (Fabric) Class.forName(args[1]).getDeclaredConstructor().newInstance();
        ClusterConfig config = ClusterConfig.builder()
                .fabric(args[3])
                .cluster(args[4])
                .hosts(args[5].isEmpty() ? List.of() : List.of(args[5].split(",")))
                .hostPattern(args[6])
                .memoryPort(Integer.parseInt(args[7]))
                .segmentSizeLog2(Integer.parseInt(args[8]))
                .segmentsPerNode(2)
                .lanes(TestEndpoints.LANES)
                .memoryNodes(0, 1)
                .computeNodes(1, 4)
                .build();
        NodeMain node = new NodeMain(args[0], fabric, config, Integer.parseInt(args[2]));
        answer("ready");
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            String[] words = line.split(" ");
            answer(node.run(words));
            if (words[0].equals("finish")) {
                return;
            }
        }
        Runtime.getRuntime().halt(1);
    }

    private static void answer(String answer) {
        System.out.println(ANSWER + answer);
        System.out.flush();
    }

    /** Does what a command says, and returns the answer. */
    String run(String... words) {
        return switch (words[0]) {
            case "get" -> Long.toString(memory.get(Integer.parseInt(words[1]), Long.parseLong(words[2])));
            case "set" -> {
                memory.set(Integer.parseInt(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3]));
                yield "done";
            }
            case "peer" -> memory.peer(Integer.parseInt(words[1])).name();
            case "count" -> {
                count(Integer.parseInt(words[1]), Long.parseLong(words[2]), Integer.parseInt(words[3]));
                yield "done";
            }
            case "come-and-go" -> {
                comeAndGo(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
                yield "done";
            }
            case "finish" -> {
                close();
                yield "done";
            }
            default -> throw new IllegalArgumentException("unknown command " + words[0]);
        };
    }

    private void close() {
        if (memory != null) {
            memory.close();
        } else {
            compute.close();
        }
    }

    /** What killing its process would do, as far as that can be done from inside. */
    void die() {
        if (memory != null) {
            memory.close();
        } else {
            compute.abandon();
        }
    }

    private void count(int segment, long offset, int n) {
        count(client.caller(0), segment, offset, n);
    }

    /** What the command {@code count} does. */
    static void count(Caller caller, int segment, long offset, int n) {
        for (int i = 0; i < n; i++) {
            caller.fetchAndAdd(segment, offset, 1);
            long seen = caller.read(segment, offset + 8);
            long old;
            while ((old = caller.compareAndSwap(segment, offset + 8, seen, seen + 1)) != seen) {
                seen = old;
            }
        }
    }

    private void comeAndGo(int node, int n) {
        for (int i = 0; i < n; i++) {
            try (ComputeEndpoint guest = fabric.openCompute(config, node)) {
                guest.connect(config.firstMemoryNode(), 1, TestEndpoints.PATIENCE)
                        .close();
            }
        }
    }
}
