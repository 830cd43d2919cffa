// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.queues;

import dev.remus.cli.cluster.Job;
import dev.remus.cli.cluster.NodeContext;
import dev.remus.cli.cluster.RunRecord;
import dev.remus.cli.progress.Progress;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.tools.bench.suite.ClusterSuite;
import dev.remus.tools.bench.suite.OtherLoad;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The job of {@code bench queues}: all races in rounds, in which the queues that are compared run directly after each
 * other in the same processes.
 *
 * @param rounds the number of measured rounds, after the warm-up rounds
 * @param items the number of items that each producer enqueues
 * @param capacity the capacity of each queue
 * @param words the words of the command line, as the user gave them
 */
record QueuesJob(int rounds, long items, int capacity, List<String> words) implements Job {
    static final int MAX_PRODUCERS = 2;

    private static final int WARM_UPS = 2;

    @Override
    public boolean leavesResults() {
        return true;
    }

    @Override
    public Optional<String> complete(Path results, RunRecord record) throws IOException {
        ClusterSuite.writeProvenance(QueuesProgram.NAME, words, results, record);
        return Optional.empty();
    }

    @Override
    public void run(ComputeThread ct, NodeContext context) throws Exception {
        List<QueueUnderTest> subjects = subjects(ct);
        long total = (long) (WARM_UPS + rounds) * Race.ALL.size() * subjects.size();
        boolean isFirst = ct.nodeId() == ct.config().firstComputeNode();
        Progress.Counter progress =
                context.progress().phase("races", isFirst ? total : 0, total).counter();
        long done = 0;
        Throughputs throughputs = new Throughputs();
        OtherLoad load = OtherLoad.beginAmongSiblings(ct.config().fabric());
        for (int round = 0; round < WARM_UPS + rounds; round++) {
            for (Race race : Race.ALL) {
                for (QueueUnderTest subject : subjects) {
                    double perSecond = run(race, subject, ct);
                    if (round >= WARM_UPS) {
                        throughputs.add(race, subject, perSecond);
                    }
                    if (ct.id() == 0) {
                        progress.set(++done);
                    }
                }
            }
        }
        if (ct.id() == 0) {
            QueuesReport report = new QueuesReport(throughputs, subjects, rounds, items, capacity, load.share());
            context.conclude(report.toText());
            report.writeTo(context.results());
            context.conclude("results: " + context.results());
        }
    }

    /** The queues that this cluster can run; Agrona's is in a file, so it needs all processes on one machine. */
    private static List<QueueUnderTest> subjects(ComputeThread ct) {
        List<QueueUnderTest> all = List.of(QueueUnderTest.values());
        return ct.config().fabric().equals("shm") ? all : all.subList(1, all.size());
    }

    /** Runs one queue in one race; the consumer returns the items per second, other threads 0. */
    private double run(Race race, QueueUnderTest subject, ComputeThread ct) throws IOException {
        Path file = file(ct);
        if (ct.id() == 0) {
            ct.root().set(subject.create(capacity, ct));
        }
        ct.barrier();
        Contestant queue = subject.open(capacity, file, ct);
        ct.barrier();
        if (ct.id() == 0) {
            Files.deleteIfExists(file); // all threads have it open
        }
        double perSecond = 0;
        int producer = ct.id() - (ct.threads() - MAX_PRODUCERS);
        if (ct.id() == 0) {
            perSecond = consume(queue, race, subject, ct);
        } else if (producer >= 0 && producer < race.producers()) {
            queue.produce(producer * items, (producer + 1) * items, race.batch(), ct);
        }
        ct.barrier();
        if (ct.id() == 0) {
            ct.root().set(RdmaPtr.nullPointer());
            queue.destroy(ct);
            ct.reclaimDeferred();
        }
        return perSecond;
    }

    private double consume(Contestant queue, Race race, QueueUnderTest subject, ComputeThread ct) {
        long total = items * race.producers();
        Contestant.Stretch stretch = queue.consume(total, race.batch(), ct);
        long expected = total % 2 == 0 ? total / 2 * (total - 1) : (total - 1) / 2 * total;
        if (stretch.sum() != expected) {
            throw new IllegalStateException(subject.title() + ", " + race + ": the dequeued items add up to "
                    + stretch.sum() + ", the enqueued items to  " + expected);
        }
        return (total - 1) * 1e9 / Math.max(1, stretch.nanos());
    }

    /** The file of Agrona's queue, in {@code /dev/shm} if possible; equal in all processes of a cluster. */
    private static Path file(ComputeThread ct) {
        Path memory = Path.of("/dev/shm");
        Path folder = Files.isDirectory(memory) ? memory : Path.of(System.getProperty("java.io.tmpdir"));
        return folder.resolve("remus-bench-" + ct.config().cluster());
    }
}
