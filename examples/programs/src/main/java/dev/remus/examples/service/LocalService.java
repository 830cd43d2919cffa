// SPDX-License-Identifier: Apache-2.0
package dev.remus.examples.service;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.config.ClusterConfig;
import dev.remus.options.Arguments;
import dev.remus.options.RemusOptions;
import dev.remus.process.JvmFlags;
import dev.remus.process.NodeProcess;
import dev.remus.process.Parent;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The processes of a service on this machine. A Compute Node that ends, whatever the reason, is started again under its
 * id and at its port, as systemd would do it. One that could not start is given up after some attempts, between which
 * twice as much time passes each time. The end of a Memory Node ends the service, since its data are gone.
 *
 * <p>One thread uses it; any thread may ask for {@link #urls}.
 */
public final class LocalService implements AutoCloseable {
    /** How often each Compute Node may come back, unless {@code --returns} is given. */
    public static final int RETURNS = 15;

    private static final long POLL_MILLIS = 20;
    private static final long BETWEEN_STARTS_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** After so many attempts in a row that failed, a node would not start either, such as after too many returns. */
    private static final int MOST_ATTEMPTS = 5;

    private final String mainClass;
    private final ClusterConfig config;
    private final Duration toStop;
    private final List<String> flags;
    private final List<String> words;
    private final boolean hasFreePorts;
    private final PrintStream out;
    private final PrintStream err;
    private final Map<Integer, NodeProcess> nodes = new TreeMap<>();
    private final Map<Integer, Long> startedNanos = new TreeMap<>();

    /** How often in a row each node could not start. */
    private final Map<Integer, Integer> failedStarts = new ConcurrentSkipListMap<>();

    private final Map<Integer, String> urls = new ConcurrentSkipListMap<>();

    /**
     * Starts nothing yet.
     *
     * @param mainClass the main class of each node, whose arguments are the name of the command and its command line
     * @param arguments of the command {@code service}
     */
    LocalService(Class<?> mainClass, Arguments arguments, PrintStream out, PrintStream err) {
        this.mainClass = mainClass.getName();
        this.config = RemusOptions.clusterConfig(arguments);
        this.toStop = ServiceOptions.toStop(ServiceOptions.limits(arguments));
        this.flags = new ArrayList<>(JvmFlags.forChild(config));
        flags.addAll(Parent.flags(Optional.empty()));
        this.hasFreePorts = arguments.get(ServiceOptions.HTTP_PORT) == 0;
        this.words = words(arguments);
        this.out = out;
        this.err = err;
    }

    /**
     * A service in a cluster of its own. It starts nothing yet.
     *
     * @param mainClass the main class of each node, whose arguments are the name of the command and its command line
     * @param args options of the command {@code service}
     */
    public static LocalService of(Class<?> mainClass, PrintStream out, PrintStream err, String... args) {
        return new LocalService(mainClass, ServiceOptions.all().parse(ServiceOptions.uniqueName(), args), out, err);
    }

    /** The values of all options, for the command line of a node. */
    private static List<String> words(Arguments arguments) {
        List<String> words = new ArrayList<>();
        Map<String, String> values = new TreeMap<>(arguments.toMap());
        if (values.containsKey(RemusOptions.HOSTS.name())) {
            values.remove(RemusOptions.HOST_PATTERN.name());
        }
        values.remove(ServiceOptions.READY_FILE.name()); // each node would need one of its own
        values.values().remove("false");
        values.forEach((name, value) -> words.add(value.equals("true") ? name : name + "=" + value));
        return words;
    }

    /** The time that {@link #close} may take. */
    Duration toStop() {
        return toStop.multipliedBy(2);
    }

    /** Starts all nodes. */
    public void start() {
        for (int id = config.lowestNode(); id <= config.highestNode(); id++) {
            if (config.isMemoryNode(id) || config.isComputeNode(id)) {
                start(id);
            }
        }
    }

    private void start(int id) {
        List<String> all = new ArrayList<>(List.of(ServiceCommand.NAME, "--node-id=" + id));
        all.addAll(words);
        String url = urls.get(id);
        if (hasFreePorts && url != null) { // it comes back where its callers expect it
            all.removeIf(word -> word.startsWith(ServiceOptions.HTTP_PORT.name() + "="));
            int port = Integer.parseInt(url.substring(url.lastIndexOf(':') + 1));
            all.add(ServiceOptions.HTTP_PORT.name() + "=" + (port - id));
        }
        startedNanos.put(id, System.nanoTime());
        nodes.put(id, new NodeProcess(id, flags, mainClass, all, this::note, (node, line) -> print(err, node, line)));
    }

    private void note(int node, String line) {
        int serves = line.indexOf(ServiceNodeRun.SERVES);
        if (serves >= 0) {
            urls.put(node, line.substring(serves + ServiceNodeRun.SERVES.length()));
            failedStarts.remove(node);
        }
        print(out, node, line);
    }

    private static void print(PrintStream to, int node, String line) {
        to.println(line.startsWith("node ") ? line : "node " + node + " | " + line);
        to.flush();
    }

    /** Where the Compute Nodes serve, by their ids: of those that have served since the start. */
    public Map<Integer, String> urls() {
        return new TreeMap<>(urls);
    }

    /**
     * Starts Compute Nodes again that have ended, until a condition holds or no Compute Node or Memory Node is left.
     *
     * @return whether the condition holds
     * @throws InterruptedException if this thread is interrupted
     */
    public boolean supervise(BooleanSupplier until) throws InterruptedException {
        while (!until.getAsBoolean()) {
            if (nodes.values().stream().anyMatch(node -> config.isMemoryNode(node.id()) && !node.isAlive())
                    || nodes.values().stream().noneMatch(node -> config.isComputeNode(node.id()) && mayServe(node))) {
                return false;
            }
            nodes.values().stream()
                    .filter(node -> !node.isAlive() && mayServe(node) && isDue(node.id()))
                    .map(NodeProcess::id)
                    .toList()
                    .forEach(this::startAgain);
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        return true;
    }

    private boolean mayServe(NodeProcess node) {
        return node.isAlive()
                || node.status() != ExitStatus.NOT_STARTED
                || failedStarts.getOrDefault(node.id(), 0) + 1 < MOST_ATTEMPTS;
    }

    private boolean isDue(int id) {
        return System.nanoTime() - startedNanos.getOrDefault(id, 0L)
                > BETWEEN_STARTS_NANOS << failedStarts.getOrDefault(id, 0);
    }

    private void startAgain(int id) {
        NodeProcess ended = nodes.get(id);
        if (ended != null) {
            if (ended.status() == ExitStatus.NOT_STARTED) {
                failedStarts.merge(id, 1, Integer::sum);
            }
            out.println(ended.howItEnded() + ", and is started again");
            out.flush();
        }
        try {
            start(id);
        } catch (UncheckedIOException e) {
            err.println("remus: " + e.getMessage());
        }
    }

    /** Stops the Compute Nodes, then the Memory Nodes; kills those that do not stop in time. */
    @Override
    public void close() {
        stop(nodes.values().stream()
                .filter(node -> !config.isMemoryNode(node.id()))
                .toList());
        stop(nodes.values().stream()
                .filter(node -> config.isMemoryNode(node.id()))
                .toList());
    }

    private void stop(List<NodeProcess> some) {
        some.forEach(NodeProcess::stop);
        long deadline = System.nanoTime() + toStop.toNanos();
        some.stream().sorted(Comparator.comparingInt(NodeProcess::id)).forEach(node -> {
            node.await(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
            if (node.isAlive()) {
                node.kill();
                node.await(toStop.toMillis());
            }
        });
    }
}
