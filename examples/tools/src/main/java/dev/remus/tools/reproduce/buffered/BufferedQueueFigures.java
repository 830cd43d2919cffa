package dev.remus.tools.reproduce.buffered;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.config.ClusterConfig;
import dev.remus.fabric.FabricException;
import dev.remus.options.OptionSpec;
import dev.remus.tools.harness.Hardware;
import dev.remus.tools.plot.Axis;
import dev.remus.tools.plot.Unit;
import dev.remus.tools.reproduce.claims.Claim;
import dev.remus.tools.reproduce.claims.ClaimFigure;
import dev.remus.tools.reproduce.claims.ClaimReport;
import dev.remus.tools.reproduce.claims.TrialTable;
import dev.remus.tools.reproduce.experiment.ExperimentOptions;
import dev.remus.tools.reproduce.experiment.ExperimentOptions.Where;
import dev.remus.tools.reproduce.experiment.ExperimentRun;
import dev.remus.tools.reproduce.experiment.PaperExperiment;
import dev.remus.tools.reproduce.experiment.PointProgress;
import dev.remus.tools.reproduce.testbed.Testbed;
import dev.remus.tools.reproduce.testbed.Testbeds;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;

/** The buffered queues by producers and batches: latency, throughput, fairness, and what their specification claims. */
public final class BufferedQueueFigures implements PaperExperiment {
    private static final String QUEUE = "queue";

    private static final int MIN_SEGMENT_LOG2 = 20;

    /** Bytes of an item in the ring: the item, its state, and the position of its block in a relaxed queue. */
    private static final long BYTES_PER_ITEM = 3 * Long.BYTES;

    @Override
    public String name() {
        return "buffered-queue";
    }

    @Override
    public String summary() {
        return "The buffered queue: latency, throughput, fairness when full, strict and relaxed, batches";
    }

    @Override
    public List<OptionSpec<?>> options() {
        return List.of(ExperimentOptions.FABRIC, Hardware.OPTION);
    }

    @Override
    public int run(ExperimentRun run) throws IOException, InterruptedException {
        if (run.arguments().get(ExperimentOptions.FABRIC) != Where.SIM
                && run.arguments().isGiven(Hardware.OPTION)) {
            throw run.arguments().usageError(Hardware.OPTION, "--fabric sim");
        }
        Testbed testbed = Testbeds.of(run.arguments().get(ExperimentOptions.FABRIC), Hardware.model(run.arguments()));
        BufferedPlan plan = new BufferedPlan(run.extent(), testbed.isModelled());
        TrialTable table = new TrialTable();
        if (!runAll(plan, testbed, run, table)) {
            return ExitStatus.FAILED;
        }
        ClaimReport report = new ClaimReport(run, "The buffered queues", testbed.description());
        report.remark(testbed.remark(1
                + plan.points().stream()
                        .mapToInt(BufferedPoint::producers)
                        .max()
                        .orElse(0)));
        report.section("Room for all items: no thread waits", table, Map.of("load", BufferedLoad.ROOM));
        report.section("Producers and consumer at the same time", table, Map.of("load", BufferedLoad.STREAM));
        report.section("A full buffer of 16 items, and a slow consumer", table, Map.of("load", BufferedLoad.FULL));
        List<Claim> claims = new BufferedClaims(table).all();
        report.claims(claims);
        report.figures(figures(), table);
        report.write(
                table,
                LongStream.range(run.seed(), run.seed() + plan.rounds()).boxed().toList(),
                claims);
        return ExitStatus.OK;
    }

    private static List<ClaimFigure> figures() {
        Axis producers = Axis.of("producers");
        Axis batch = Axis.of("items per batch").logarithmic();
        Axis items = Axis.of("throughput", Unit.of("items/s"));
        Map<String, ?> room = Map.of("load", BufferedLoad.ROOM, "batch", 1);
        Map<String, ?> stream = Map.of("load", BufferedLoad.STREAM, "batch", 1);
        Map<String, ?> full = Map.of("load", BufferedLoad.FULL);
        Map<String, ?> batches = Map.of("load", BufferedLoad.STREAM, "producers", BufferedPlan.PRODUCERS_OF_BATCHES);
        return List.of(
                new ClaimFigure(
                        "throughput",
                        "Producers and consumer at the same time",
                        stream,
                        "producers",
                        producers,
                        BufferedFigure.THROUGHPUT.column(),
                        items,
                        QUEUE),
                new ClaimFigure(
                        "enqueue-mean",
                        "Enqueue with room",
                        room,
                        "producers",
                        producers,
                        BufferedFigure.ENQUEUE_MEAN.column(),
                        Axis.of("mean latency", Unit.MICROSECONDS),
                        QUEUE),
                new ClaimFigure(
                        "enqueue-p99",
                        "Enqueue with room",
                        room,
                        "producers",
                        producers,
                        BufferedFigure.ENQUEUE_P99.column(),
                        Axis.of("99th percentile of latency", Unit.MICROSECONDS),
                        QUEUE),
                new ClaimFigure(
                        "dequeue-mean",
                        "Dequeue of items that are there",
                        room,
                        "producers",
                        producers,
                        BufferedFigure.DEQUEUE_MEAN.column(),
                        Axis.of("mean latency", Unit.MICROSECONDS),
                        QUEUE),
                new ClaimFigure(
                        "fairness-of-items",
                        "Items of a producer under a full buffer",
                        full,
                        "producers",
                        producers,
                        BufferedFigure.ITEMS_JAIN.column(),
                        Axis.of("Jain's index"),
                        QUEUE),
                new ClaimFigure(
                        "fewest-to-most-items",
                        "Items of a producer under a full buffer",
                        full,
                        "producers",
                        producers,
                        BufferedFigure.ITEMS_MIN_MAX.column(),
                        Axis.of("fewest items / most items"),
                        QUEUE),
                new ClaimFigure(
                        "fairness-of-waiting",
                        "Mean wait of a producer under a full buffer",
                        full,
                        "producers",
                        producers,
                        BufferedFigure.WAIT_JAIN.column(),
                        Axis.of("Jain's index"),
                        QUEUE),
                new ClaimFigure(
                        "throughput-of-batches",
                        "Batches",
                        batches,
                        "batch",
                        batch,
                        BufferedFigure.THROUGHPUT.column(),
                        items,
                        QUEUE));
    }

    /** Runs all points of all rounds, one round after the other; false if an audit does not balance. */
    private static boolean runAll(BufferedPlan plan, Testbed testbed, ExperimentRun run, TrialTable table)
            throws InterruptedException {
        List<BufferedPoint> points = plan.points();
        try (PointProgress progress = run.progress((long) points.size() * (plan.warmUps() + plan.rounds()))) {
            for (int round = -plan.warmUps(); round < plan.rounds(); round++) {
                for (BufferedPoint point : points) {
                    BufferedResult result = runOne(point, plan.effort(), testbed, run.seed() + round);
                    if (!result.isBalanced()) {
                        run.err().println("remus reproduce: the books do not balance: " + result.books());
                        return false;
                    }
                    if (round >= 0) {
                        table.add(conditions(point), result.figures());
                    }
                    progress.complete(1);
                }
            }
        }
        return true;
    }

    private static Map<String, Object> conditions(BufferedPoint point) {
        Map<String, Object> conditions = new LinkedHashMap<>();
        conditions.put("load", point.load());
        conditions.put(QUEUE, point.series());
        conditions.put("producers", point.producers());
        conditions.put("batch", point.batch());
        return conditions;
    }

    /** Runs a point on one Memory Node. On the model, each thread has a node of its own. */
    static BufferedResult runOne(BufferedPoint point, BufferedEffort effort, Testbed testbed, long seed)
            throws InterruptedException {
        int threads = 1 + point.producers();
        long bytes = BYTES_PER_ITEM * effort.capacity(point) + (1 << (MIN_SEGMENT_LOG2 - 1));
        ClusterConfig.Builder cluster = ClusterConfig.builder()
                .memoryNodes(0, 0)
                .computeNodes(1, testbed.isModelled() ? threads : 1)
                .threadsPerNode(testbed.isModelled() ? 1 : threads)
                .segmentSizeLog2(Math.max(MIN_SEGMENT_LOG2, Long.SIZE - Long.numberOfLeadingZeros(bytes - 1)));
        BufferedTrial trial = new BufferedTrial(point, effort);
        AtomicReference<BufferedResult> result = new AtomicReference<>();
        try {
            testbed.run(cluster, seed, ct -> trial.run(ct).ifPresent(result::set));
        } catch (InterruptedException | FabricException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(point + " cannot be run", e);
        }
        return Objects.requireNonNull(result.get(), "the result of the thread with id 0");
    }
}
