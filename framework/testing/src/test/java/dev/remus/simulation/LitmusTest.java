// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import dev.remus.config.LanePolicy;
import dev.remus.config.Reclamation;
import dev.remus.fabric.sim.Weakness;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The simulator shows each weakness that the fabric contract allows in some schedule. It never does so when the
 * weakness is switched off, or when the contract's remedy is used.
 */
@Tag("any-jdk")
class LitmusTest {
    private static final int SCHEDULES = 300;

    private static final ClusterConfig CONFIG = ClusterConfig.builder()
            .cluster("litmus")
            .memoryNodes(0, 0)
            .computeNodes(1, 2)
            .segmentSizeLog2(12)
            .reclaim(Reclamation.BARRIER)
            .lanes(2)
            .lanePolicy(LanePolicy.RR)
            .build();

    private static final Set<Weakness> ALL = EnumSet.allOf(Weakness.class);

    /** A program of two threads on two words, and an outcome. */
    private abstract static class Litmus {
        boolean seen;

        abstract void first(long x, long y, ComputeThread ct);

        abstract void second(long x, long y, ComputeThread ct);

        /** Checks, after both, whether the outcome has happened. */
        void look(long x, long y, ComputeThread ct) {}

        void run(ComputeThread ct) {
            if (ct.id() == 0) {
                long block = ct.allocate(64);
                ct.write(block, 0);
                ct.write(block + 8, 0);
                ct.root().set(new RdmaPtr<>(block));
            }
            ct.barrier();
            long x = ct.root().get().raw();
            if (ct.id() == 0) {
                first(x, x + 8, ct);
            } else {
                second(x, x + 8, ct);
            }
            ct.barrier();
            if (ct.id() == 0) {
                look(x, x + 8, ct);
            }
        }
    }

    private interface Maker {
        Litmus make();
    }

    /** Counts the schedules in which the outcome happens. */
    private static int seen(Maker maker, Set<Weakness> weaknesses) throws Exception {
        int seen = 0;
        for (long seed = 0; seed < SCHEDULES; seed++) {
            Litmus litmus = maker.make();
            new SimulatedCluster(CONFIG, Schedule.random(seed).withWeaknesses(weaknesses)).run(litmus::run);
            seen += litmus.seen ? 1 : 0;
        }
        return seen;
    }

    private static void happensOnlyWith(Weakness weakness, Maker maker) throws Exception {
        assertThat(seen(maker, ALL)).as("with everything").isPositive();
        assertThat(seen(maker, EnumSet.of(weakness))).as("with that alone").isPositive();
        assertThat(seen(maker, EnumSet.complementOf(EnumSet.of(weakness))))
                .as("with everything else")
                .isZero();
    }

    private static void neverHappens(Maker maker) throws Exception {
        assertThat(seen(maker, ALL)).isZero();
    }

    // ------------------------------------------------------------------------------------------ torn transfers

    private static class Torn extends Litmus {
        private final ByteBuffer two = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);

        @Override
        void first(long x, long y, ComputeThread ct) {
            ct.write(x, two.clear().putLong(0, 1).putLong(8, 1));
        }

        @Override
        void second(long x, long y, ComputeThread ct) {
            ByteBuffer read = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
            ct.read(x, read);
            seen = read.getLong(0) < read.getLong(8); // the second word of the WRITE before the first
        }
    }

    @Test
    void aTransferIsTornInAnyOrder() throws Exception {
        happensOnlyWith(Weakness.TORN_TRANSFERS, Torn::new);
    }

    // ------------------------------------------------------------------------------------------ unplaced WRITEs

    /** A message and a flag, posted on two lanes. */
    private static class Message extends Litmus {
        @Override
        void first(long x, long y, ComputeThread ct) {
            ct.post(x, 1);
            if (isPlacedBetween()) {
                ct.place();
            }
            ct.post(y, 1);
        }

        boolean isPlacedBetween() {
            return false;
        }

        @Override
        void second(long x, long y, ComputeThread ct) {
            for (int i = 0; i < 10 && ct.read(y) == 0; i++) {
                ct.pause();
            }
            seen = ct.read(y) == 1 && ct.read(x) == 0;
        }
    }

    @Test
    void aPostedFlagIsSeenBeforeThePostedMessage() throws Exception {
        assertThat(seen(Message::new, ALL)).isPositive();
    }

    @Test
    void aFlagIsNeverSeenBeforeAPlacedMessage() throws Exception {
        neverHappens(() -> new Message() {
            @Override
            boolean isPlacedBetween() {
                return true;
            }
        });
    }

    // ------------------------------------------------------------------------------------------ split atomics

    /** A plain WRITE to a word that another thread changes by FETCH_AND_ADD. */
    private static class LostWrite extends Litmus {
        @Override
        void first(long x, long y, ComputeThread ct) {
            ct.fetchAndAdd(x, 1);
        }

        @Override
        void second(long x, long y, ComputeThread ct) {
            ct.write(x, 100);
        }

        @Override
        void look(long x, long y, ComputeThread ct) {
            seen = ct.read(x) == 1;
        }
    }

    @Test
    void aPlainWriteIsLostInTheMiddleOfAFetchAndAdd() throws Exception {
        happensOnlyWith(Weakness.SPLIT_ATOMICS, LostWrite::new);
    }

    @Test
    void anAtomicIsNeverLostInTheMiddleOfAnother() throws Exception {
        neverHappens(() -> new LostWrite() {
            @Override
            void second(long x, long y, ComputeThread ct) {
                long old = ct.read(x);
                for (long found = ct.compareAndSwap(x, old, old + 100);
                        found != old;
                        found = ct.compareAndSwap(x, old, old + 100)) {
                    old = found;
                }
            }
        });
    }

    // ------------------------------------------------------------------------------------------ failing CAS

    /** A lock that is released by a plain store while another thread tries to take it. */
    private static class LostRelease extends Litmus {
        @Override
        void first(long x, long y, ComputeThread ct) {
            ct.compareAndSwap(x, 0, 1);
            ct.write(y, 1);
            release(x, ct);
        }

        void release(long x, ComputeThread ct) {
            ct.write(x, 0);
        }

        @Override
        void second(long x, long y, ComputeThread ct) {
            for (int i = 0; i < 3; i++) {
                if (ct.compareAndSwap(x, 0, 2) == 0) {
                    ct.compareAndSwap(x, 2, 0);
                }
            }
        }

        @Override
        void look(long x, long y, ComputeThread ct) {
            seen = ct.read(x) == 1;
        }
    }

    @Test
    void aReleaseByAPlainStoreIsUndoneByAFailingCompareAndSwap() throws Exception {
        assertThat(seen(LostRelease::new, ALL)).isPositive();
        assertThat(seen(LostRelease::new, EnumSet.complementOf(EnumSet.of(Weakness.FAILED_CAS_WRITES_BACK))))
                .isZero();
    }

    @Test
    void aReleaseByCompareAndSwapIsNeverUndone() throws Exception {
        neverHappens(() -> new LostRelease() {
            @Override
            void release(long x, ComputeThread ct) {
                ct.compareAndSwap(x, 1, 0);
            }
        });
    }

    // ------------------------------------------------------------------------------------------ replay

    @Test
    void theSameSeedGivesTheSameTraceByteForByte() throws Exception {
        for (long seed = 0; seed < 20; seed++) {
            assertThat(trace(seed)).isEqualTo(trace(seed)).isNotEmpty();
        }
        assertThat(trace(1)).isNotEqualTo(trace(2));
    }

    private static String trace(long seed) throws Exception {
        SimulatedCluster cluster = new SimulatedCluster(CONFIG, Schedule.random(seed));
        cluster.simulator().traced();
        cluster.run(new LostRelease()::run);
        return cluster.simulator().trace();
    }
}
