// SPDX-License-Identifier: Apache-2.0
package dev.remus.examples.service.load;

import dev.remus.cli.cluster.ExitStatus;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A run of clients against the nodes of a service, and its books. */
final class Load {
    private static final long HEALTH_MILLIS = 50;
    private static final long TO_SERVE_NANOS = TimeUnit.SECONDS.toNanos(120);
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MILLI = 1e6;

    /**
     * What to do.
     *
     * @param clients how many send requests at the same time
     * @param keys how many each of them has
     * @param valueBytes the size of values
     * @param seconds how long they go on
     * @param killEverySeconds how often a node is killed or restarted; 0 for never
     */
    record Plan(int clients, int keys, int valueBytes, long seconds, long killEverySeconds) {}

    private final Plan plan;
    private final List<LoadTarget> targets;
    private final long seed;
    private final PrintStream out;
    private final PrintStream err;
    private final LoadTally tally = new LoadTally();
    private final List<Client> clients = new ArrayList<>();
    private volatile boolean isOver;
    private volatile boolean hasEnded;

    Load(Plan plan, List<String> urls, long seed, PrintStream out, PrintStream err) {
        this.plan = plan;
        this.targets = urls.stream().map(LoadTarget::new).toList();
        this.seed = seed;
        this.out = out;
        this.err = err;
    }

    /** Runs the load and judges it; returns an {@link ExitStatus}. */
    int run() throws InterruptedException {
        Thread health = new Thread(this::watchHealth, "health");
        health.setDaemon(true);
        health.start();
        try {
            if (!await(this::areAllAvailable)) {
                err.println("remus: not all nodes serve: "
                        + targets.stream()
                                .filter(t -> !t.isAvailable())
                                .map(LoadTarget::url)
                                .toList());
                return ExitStatus.NOT_STARTED;
            }
            NodeFaults faults =
                    new NodeFaults(targets, TimeUnit.SECONDS.toNanos(plan.killEverySeconds()), tally, () -> isOver);
            double seconds = runClients(faults);
            return report(seconds, faults);
        } finally {
            isOver = true;
            hasEnded = true;
        }
    }

    private boolean areAllAvailable() {
        return targets.stream().allMatch(LoadTarget::isAvailable);
    }

    private static boolean await(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + TO_SERVE_NANOS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(HEALTH_MILLIS);
        }
        return true;
    }

    private void watchHealth() {
        try {
            while (!hasEnded) {
                for (LoadTarget target : targets) {
                    target.look();
                }
                TimeUnit.MILLISECONDS.sleep(HEALTH_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private double runClients(NodeFaults faults) throws InterruptedException {
        SplittableRandom random = new SplittableRandom(seed);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < plan.clients(); i++) {
            String prefix = "load-" + Long.toHexString(seed) + "-" + i;
            Client client =
                    new Client(prefix, plan.keys(), plan.valueBytes(), targets, tally, random.split(), () -> isOver);
            clients.add(client);
            threads.add(new Thread(client, "client-" + i));
        }
        if (plan.killEverySeconds() > 0) {
            threads.add(new Thread(faults, "faults"));
        }
        long begin = System.nanoTime();
        threads.forEach(Thread::start);
        try {
            TimeUnit.SECONDS.sleep(plan.seconds());
        } finally {
            isOver = true;
        }
        double seconds = (System.nanoTime() - begin) / NANOS_PER_SECOND;
        for (Thread thread : threads) {
            thread.join();
        }
        return seconds;
    }

    private int report(double seconds, NodeFaults faults) throws InterruptedException {
        long requests = tally.latencies.getTotalCount();
        print("requests       %,d in %.1f s: %,.0f per second", requests, seconds, requests / seconds);
        print(
                "latency        p50 %.2f ms, p99 %.2f ms, p99.9 %.2f ms, max %.0f ms",
                millis(50), millis(99), millis(99.9), tally.latencies.getMaxValue() / NANOS_PER_MILLI);
        print(
                "sent again     %,d: %,d answered with 503, %,d without a connection",
                tally.refused.sum() + tally.unconnected.sum(), tally.refused.sum(), tally.unconnected.sum());
        if (faults.hasActed()) {
            print("nodes          %s", faults.summary());
        }
        long held = clients.stream().mapToLong(Client::held).sum();
        List<Long> found = new ArrayList<>();
        try {
            audit(found);
        } catch (IllegalStateException e) { // a node does not serve any more
            tally.error("the audit ended: " + e.getMessage());
        }
        tally.problems().forEach(problem -> err.println("remus: " + problem));
        err.flush();
        boolean isBalanced = tally.errors() == 0
                && tally.wrongAnswers() == 0
                && found.stream().allMatch(count -> count == held);
        print(
                "books: %,d keys, %,d with a value, %s found on the nodes; %,d wrong answers, %,d errors,"
                        + " %,d in flight at %,d kills: %s",
                (long) plan.clients() * plan.keys(),
                held,
                found,
                tally.wrongAnswers(),
                tally.errors(),
                tally.inFlight.sum(),
                faults.kills(),
                isBalanced ? "balanced" : "NOT balanced");
        return isBalanced ? ExitStatus.OK : ExitStatus.FAILED;
    }

    /** Counts the keys that have a value on each node; it is an error if one does not serve. Afterwards, none has. */
    private void audit(List<Long> found) throws InterruptedException {
        if (!await(this::areAllAvailable)) {
            targets.stream()
                    .filter(target -> !target.isAvailable())
                    .forEach(target -> tally.error(target.url() + " does not serve at the end"));
            return;
        }
        for (LoadTarget target : targets) {
            long here = 0;
            for (Client client : clients) {
                here += client.audit(target);
            }
            found.add(here);
        }
        for (Client client : clients) {
            client.removeAll();
        }
    }

    private double millis(double percentile) {
        return tally.latencies.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
    }

    private void print(String format, Object... values) {
        out.println(String.format(Locale.ROOT, format, values));
        out.flush();
    }
}
