// SPDX-License-Identifier: Apache-2.0
package dev.remus.examples.service;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.config.ClusterConfig;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.NodeLostException;
import dev.remus.memory.OutOfRemoteMemoryException;
import dev.remus.node.MemoryNode;
import dev.remus.options.Arguments;
import dev.remus.options.RemusOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** Runs one node of the service in this process, until it fails or the process is asked to end. */
final class ServiceNodeRun {
    /** What precedes the URL in the line that a node prints once it serves. */
    static final String SERVES = " serves ";

    /** How long a Memory Node waits for the Compute Nodes to leave before it withdraws the memory. */
    private static final long FOR_OTHERS_TO_LEAVE_MILLIS = 10_000;

    private final ClusterConfig config;
    private final int id;
    private final Limits limits;
    private final int port;
    private final Optional<Path> readyFile;
    private final PrintStream out;
    private final PrintStream err;

    ServiceNodeRun(Arguments arguments, PrintStream out, PrintStream err) {
        this.config = RemusOptions.clusterConfig(arguments);
        this.id = RemusOptions.nodeId(arguments);
        this.limits = ServiceOptions.limits(arguments);
        int base = Math.toIntExact(arguments.get(ServiceOptions.HTTP_PORT));
        this.port = base == 0 ? 0 : base + id;
        this.readyFile = arguments.find(ServiceOptions.READY_FILE);
        this.out = out;
        this.err = err;
    }

    /** Runs the node, and returns an {@link ExitStatus}. */
    int run() throws IOException {
        try (StopSignal stop = new StopSignal(ServiceOptions.toStop(limits))) {
            int status;
            try {
                status = config.isMemoryNode(id) ? runMemory() : runCompute();
            } catch (InterruptedException e) {
                status = ExitStatus.OK;
            } catch (FabricException | OutOfRemoteMemoryException | IOException e) {
                status = stop.isAsked() ? ExitStatus.OK : status(e);
                if (!stop.isAsked()) {
                    err.println("remus: node " + id + ": " + e.getMessage());
                }
            }
            return stop.endWith(status);
        }
    }

    /** A node that misses another one may be started again; one whose options or port are wrong would fail again. */
    private static int status(Exception e) {
        return e instanceof NodeLostException ? ExitStatus.FAILED : ExitStatus.NOT_STARTED;
    }

    private int runCompute() throws IOException, InterruptedException {
        try (ServiceNode node = new ServiceNode(config, id, limits, port, err)) {
            node.start();
            try {
                ready(SERVES + node.url(), node.url());
                node.awaitFailure();
            } finally {
                removeReadyFile();
            }
            err.println("remus: node " + id + ": " + node.health().reason());
            return ExitStatus.FAILED;
        }
    }

    private int runMemory() throws IOException, InterruptedException {
        try (MemoryNode memory = MemoryNode.start(config, id)) {
            try {
                ready(" offers memory", "");
                new CountDownLatch(1).await();
            } finally {
                Thread.interrupted(); // it has ended the wait
                removeReadyFile();
                awaitOthersLeave(memory);
            }
        }
        return ExitStatus.OK;
    }

    private void awaitOthersLeave(MemoryNode memory) throws InterruptedException {
        Thread wait = new Thread(
                () -> {
                    try {
                        memory.awaitFinished();
                    } catch (RuntimeException e) {
                        // the others have ended, or never came
                    }
                },
                "others-leave");
        wait.setDaemon(true);
        wait.start();
        wait.join(FOR_OTHERS_TO_LEAVE_MILLIS);
    }

    private void ready(String what, String url) throws IOException {
        if (readyFile.isPresent()) { // in one step, so that nobody reads half of it
            Path whole = Path.of(readyFile.get() + ".new");
            Files.writeString(whole, url + "\n");
            Files.move(whole, readyFile.get(), StandardCopyOption.ATOMIC_MOVE);
        }
        out.println("node " + id + what);
        out.flush();
    }

    private void removeReadyFile() {
        try {
            if (readyFile.isPresent()) {
                Files.deleteIfExists(readyFile.get());
            }
        } catch (IOException e) {
            err.println("remus: node " + id + ": " + readyFile.get() + " cannot be removed: " + e.getMessage());
        }
    }
}
