// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.config.LanePolicy;
import dev.remus.config.ThreadKind;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.LocalBuffer;
import dev.remus.lock.RemoteLock;
import dev.remus.memory.RdmaPtr;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compute Threads that are virtual threads. */
@Timeout(180)
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads exist from Java 21 on")
class VirtualThreadsTest {
    private static final long MIB = 1 << 20;
    private static final int ROUNDS = 5;

    @TempDir
    private Path folder;

    private static ClusterConfig.Builder config(int computeNodes, int threads) {
        return TestCluster.config(1, computeNodes, threads).threadKind(ThreadKind.VIRTUAL);
    }

    @ParameterizedTest
    @EnumSource
    void sixteenVirtualThreadsThatWaitForOneAnotherMakeProgress(FabricKind kind) throws Exception {
        WaitingTest.takeTurns(kind, config(4, 4).build());
    }

    @ParameterizedTest
    @EnumSource
    void threadsThatPollWithoutAPauseLetTheOneRunThatTheyWaitFor(FabricKind kind) throws Exception {
        int pollers = Runtime.getRuntime().availableProcessors();
        kind.run(config(1, pollers + 1).build(), ct -> {
            if (ct.id() == 0) {
                long words = ct.allocate(2 * Long.BYTES);
                ct.write(words, 0);
                ct.write(words + Long.BYTES, 0);
                ct.root().set(new RdmaPtr<>(words));
            }
            ct.barrier();
            long polling = ct.root().get().raw();
            long done = polling + Long.BYTES;
            if (ct.id() == 0) {
                while (ct.read(polling) < pollers) {
                    ct.pause();
                }
                ct.write(done, 1);
            } else {
                ct.fetchAndAdd(polling, 1);
                while (ct.read(done) == 0) {}
            }
        });
    }

    /** An environment in which a thread that has posted meets the others before it polls, if it has a meeting. */
    private static final class Meeting extends DelegateEnvironment {
        private final ThreadLocal<CyclicBarrier> meeting = new ThreadLocal<>();

        @Override
        public Pauses newPauses() {
            Pauses pauses = super.newPauses();
            return new Pauses() {
                @Override
                public void beforeFirstPoll() {
                    CyclicBarrier others = meeting.get();
                    if (others != null) {
                        meet(others);
                    }
                }

                @Override
                public void pause(int attempt, long nanos) {
                    pauses.pause(attempt, nanos);
                }
            };
        }

        private static void meet(CyclicBarrier others) {
            try {
                others.await(60, TimeUnit.SECONDS);
            } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
                throw new AssertionError("the other thread has not posted", e);
            }
        }

        long addAfterMeeting(CyclicBarrier others, ComputeThread ct, long word) {
            meeting.set(others);
            try {
                return ct.fetchAndAdd(word, 1);
            } finally {
                meeting.remove();
            }
        }
    }

    @Test
    void threadsThatPostBeforeAnyOfThemPollsShareADoorbell() throws Exception {
        Meeting environment = new Meeting();
        LaneFabric fabric = LaneFabric.counted(128, environment);
        ClusterConfig config =
                config(1, 4).lanes(2).lanePolicy(LanePolicy.MOD).build(); // the node's own operations use lane 0
        try (TestCluster cluster = TestCluster.of(config, fabric).start()) {
            ComputeThread first = cluster.computeNode(1).openThread(1);
            ComputeThread second = cluster.computeNode(1).openThread(3);
            long word = first.allocate(64);
            first.write(word, 0);
            CountedLane lane = fabric.counted(1, 0, 1);
            CyclicBarrier both = new CyclicBarrier(2);
            int before = lane.doorbells();
            CompletableFuture<Long> added =
                    CompletableFuture.supplyAsync(() -> environment.addAfterMeeting(both, second, word));
            long sum = environment.addAfterMeeting(both, first, word) + added.get(60, TimeUnit.SECONDS);
            assertThat(lane.doorbells() - before).isOne();
            assertThat(sum).as("0 and 1, in one order or the other").isOne();
        }
    }

    @Test
    void theComputeThreadsAreVirtualAndNamed() throws Exception {
        FabricKind.DIRECT.run(config(1, 2).build(), ct -> {
            assertThat(Thread.currentThread().toString()).startsWith("VirtualThread[");
            assertThat(Thread.currentThread().getName()).isEqualTo("remus-1-" + ct.index());
        });
    }

    @Test
    void anInterruptedVirtualThreadStopsWaiting() throws Exception {
        FabricKind.DIRECT.run(config(1, 1).build(), ct -> {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> {
                        while (true) {
                            ct.pause();
                        }
                    })
                    .isInstanceOf(FabricException.class)
                    .hasMessageContaining("interrupted");
            assertThat(Thread.interrupted()).isTrue();
        });
    }

    @Test
    void aFailingVirtualThreadEndsTheOthers() {
        assertThatThrownBy(() -> FabricKind.DIRECT.run(config(1, 8).build(), ct -> {
                    if (ct.id() == 3) {
                        throw new IllegalStateException("on purpose");
                    }
                    ct.barrier();
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("on purpose");
    }

    /** A carrier prefers threads that have yielded, so without turns the others would never run. */
    @Test
    void aThreadThatParksGetsItsTurnWhileOthersWaitForOneOperationAfterTheOther() throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        FabricKind.LANES.run(config(1, 8).build(), ct -> {
            if (ct.id() == 0) {
                for (int i = 0; i < 20; i++) {
                    LockSupport.parkNanos(100_000);
                }
                isOver.set(true);
            } else {
                long word = ct.allocate(64);
                while (!isOver.get()) {
                    ct.read(word);
                }
            }
        });
    }

    /** Barriers, a contended lock, allocation, sequences, asynchronous operations and armed completions. */
    private static void waitForEverything(ComputeThread ct) {
        int lockBytes = 64 + RemoteLock.bytes(ct.threads()) / 64 * 64;
        RemoteLock lock = new RemoteLock(ct.threads());
        if (ct.id() == 0) {
            long block = ct.allocate(lockBytes + 64);
            lock.at(new RdmaPtr<RemoteLock>(block));
            lock.init(ct);
            ct.write(block + lockBytes, 0);
            ct.root().set(new RdmaPtr<>(block));
        }
        ct.barrier();
        long counter = ct.root().get().raw() + lockBytes;
        lock.at(ct.root().get());
        LocalBuffer local = ct.allocateLocal(64);
        for (int i = 0; i < ROUNDS; i++) {
            lock.acquire(ct);
            ct.write(counter, ct.read(counter) + 1);
            lock.release(ct);
            ct.async().read(counter).await();
            ct.sequence().read(counter, local, 0, Long.BYTES).execute();
            ct.free(ct.allocate(64), 64);
            ct.pause();
        }
        ct.barrier();
        assertThat(ct.read(counter)).isEqualTo((long) ROUNDS * ct.threads());
    }

    @ParameterizedTest
    @EnumSource
    void noWaitPinsACarrier(FabricKind kind) throws Exception {
        recordPinned(kind, "warm-up.jfr"); // loads all classes, which pins
        assertThat(RecordingFile.readAllEvents(recordPinned(kind, "pinned.jfr")))
                .isEmpty();
    }

    private Path recordPinned(FabricKind kind, String name) throws Exception {
        Path file = folder.resolve(name);
        try (Recording recording = new Recording()) {
            recording.enable("jdk.VirtualThreadPinned").withThreshold(Duration.ofMillis(1));
            recording.start();
            kind.run(config(2, 8).build(), VirtualThreadsTest::waitForEverything);
            recording.stop();
            recording.dump(file);
        }
        return file;
    }

    @Test
    void theFlightRecorderNamesTheVirtualThreadOfASlowOperation() throws Exception {
        Path file = folder.resolve("slow.jfr");
        try (Recording recording = new Recording()) {
            recording.enable(SlowOperationEvent.class).withThreshold(Duration.ZERO);
            recording.start();
            FabricKind.LANES.run(config(1, 2).build(), ct -> ct.read(ct.allocate(64)));
            recording.stop();
            recording.dump(file);
        }
        assertThat(RecordingFile.readAllEvents(file))
                .filteredOn(event -> event.getEventType().getName().equals(SlowOperationEvent.NAME)
                        && event.getString("operation").equals("READ"))
                .extracting(event -> event.getThread().getJavaName())
                .contains("remus-1-0", "remus-1-1");
    }

    @ParameterizedTest
    @EnumSource(names = {"DIRECT", "LANES"})
    void aThousandVirtualComputeThreadsTakeAtMost64MiB(FabricKind kind) throws Exception {
        memoryOfAThousand(kind); // loads classes
        assertThat(memoryOfAThousand(kind) / MIB).isLessThanOrEqualTo(64);
    }

    private static long memoryOfAThousand(FabricKind kind) throws Exception {
        long before = usedMemory();
        AtomicLong during = new AtomicLong();
        kind.run(config(1, 1_000).segmentSizeLog2(22).build(), ct -> {
            long block = ct.allocate(64);
            LocalBuffer local = ct.allocateLocal(64);
            ct.read(block, local);
            ct.async().read(block).await();
            ct.sequence().read(block, local, 0, Long.BYTES).execute();
            ct.barrier();
            if (ct.id() == 0) {
                during.set(usedMemory());
            }
            ct.barrier();
        });
        return during.get() - before;
    }

    /** The Java heap after a collection, and direct buffers. */
    private static long usedMemory() {
        System.gc();
        long direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
        return direct + ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    @Test
    void aProcessWhoseVirtualThreadsRunRefusesAnotherNumberOfCores() throws Exception {
        ClusterConfig all = config(1, 1).build();
        FabricKind.DIRECT.run(all, ComputeThread::barrier);
        assertThatThrownBy(() -> FabricKind.DIRECT.run(all.toBuilder().cores(1).build(), ComputeThread::barrier))
                .isInstanceOf(FabricException.class)
                .hasMessageContaining("already use all processors at once, not 1")
                .hasMessageContaining("-Djdk.virtualThreadScheduler.parallelism=1");
    }
}
