// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import dev.remus.config.ClusterConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The nodes of a process, one at a time, driven by the lines of its standard input:
 *
 * <pre>
 *  open ROLE FABRIC NODE ...   opens a node; the words, see {@link #open}, are separated by {@link #BETWEEN}
 *  get SEGMENT OFFSET          Memory Node: the word there
 *  set SEGMENT OFFSET VALUE    Memory Node: sets it
 *  peer NODE                   Memory Node: its state of a Compute Node
 *  count SEGMENT OFFSET N      Compute Node: N increments by FETCH_AND_ADD there and N by COMPARE_AND_SWAP behind it
 *  come-and-go NODE N          opens a Compute Node, connects it and closes it, N times
 *  abandon                     closes the node as if its process had died
 *  finish                      closes the node
 *  end                         ends the process, without an answer
 * </pre>
 *
 * When its input ends, because the tests have died, it ends too.
 */
final class NodeMain {
    /** The prefix of answers. */
    static final String ANSWER = "answer: ";

    /** The prefix of the command that opens a node. */
    static final String OPEN = "open ";

    /** Separates the words of that command, since a word may be empty or contain a blank. */
    static final String BETWEEN = "\t";

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
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        NodeMain node = null;
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            if (line.equals("end")) {
                return;
            } else if (line.startsWith(OPEN)) {
                node = open(line.substring(OPEN.length()).split(BETWEEN, -1));
                answer("ready");
            } else {
                answer(node.run(line.split(" ")));
            }
        }
        Runtime.getRuntime().halt(1);
    }

    /** The words: role, class of the fabric, node, and the settings that tests vary. */
    private static NodeMain open(String... words) throws ReflectiveOperationException {
        Fabric fabric =
                (Fabric) Class.forName(words[1]).getDeclaredConstructor().newInstance();
        ClusterConfig config = ClusterConfig.builder()
                .fabric(words[3])
                .cluster(words[4])
                .hosts(words[5].isEmpty() ? List.of() : List.of(words[5].split(",")))
                .hostPattern(words[6])
                .memoryPort(Integer.parseInt(words[7]))
                .segmentSizeLog2(Integer.parseInt(words[8]))
                .segmentsPerNode(2)
                .lanes(TestEndpoints.LANES)
                .memoryNodes(0, 1)
                .computeNodes(1, 4)
                .build();
        return new NodeMain(words[0], fabric, config, Integer.parseInt(words[2]));
    }

    private static void answer(String answer) {
        System.out.println(ANSWER + answer);
        System.out.flush();
    }

    /** Executes a command and returns the answer. */
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
            case "abandon" -> {
                die();
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

    /** Ends the node as the death of its process would, as far as that is possible from inside. */
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

    /** Executes the command {@code count}. */
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
