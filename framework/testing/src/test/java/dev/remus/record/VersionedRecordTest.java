// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.FabricKind;
import dev.remus.node.TestCluster;
import dev.remus.simulation.Finding;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Versioned records are read whole, and without the version they may be torn. */
@Timeout(120)
class VersionedRecordTest {
    private static final int SCHEDULES = 400;
    private static final int WORDS = 4;

    private static final class Words extends VersionedRecord {
        final RemoteLongArray words = longArrayField(WORDS);

        void stageAll(long value, ComputeThread ct) {
            for (int i = 0; i < WORDS; i++) {
                words.stage(i, value, ct);
            }
        }

        void checkEqual() {
            for (int i = 1; i < WORDS; i++) {
                assertThat(words.fetched(i)).as("word %d", i).isEqualTo(words.fetched(0));
            }
        }
    }

    /** The ways of reading. */
    private enum Reading {
        CONSISTENT,
        PLAIN
    }

    private static final ClusterConfig CONFIG = ClusterConfig.builder()
            .cluster("versioned")
            .memoryNodes(0, 0)
            .computeNodes(1, 2)
            .segmentSizeLog2(12)
            .reclaim(Reclamation.BARRIER)
            .build();

    /** One thread writes several times, the other reads meanwhile. */
    private static Scenario scenario(Reading reading) {
        return schedule -> new SimulatedCluster(CONFIG, schedule).run(ct -> {
            Words record = new Words();
            if (ct.id() == 0) {
                record.allocate(ct);
                record.stageAll(0, ct);
                record.storeNew(ct);
                ct.root().set(new RdmaPtr<>(record.pointer()));
            }
            ct.barrier();
            record.at(ct.root().get());
            for (int i = 1; i <= 4; i++) {
                if (ct.id() == 0) {
                    record.stageAll(i, ct);
                    record.storeConsistent(ct);
                } else if (reading == Reading.PLAIN) {
                    record.fetch(ct);
                    record.checkEqual();
                } else if (record.fetchConsistent(ct)) {
                    record.checkEqual();
                }
            }
            ct.barrier();
            if (ct.id() == 1) {
                assertThat(record.fetchConsistent(ct))
                        .as("no thread writes any more")
                        .isTrue();
                assertThat(record.words.fetched(0)).isEqualTo(4);
            }
        });
    }

    @Test
    void noScheduleReadsARecordThatWasNeverWritten() {
        assertThat(Finding.first(scenario(Reading.CONSISTENT), Schedule::random, 1, SCHEDULES))
                .isEmpty();
    }

    @Test
    void withoutTheVersionTornRecordsAreRead() {
        assertThat(Finding.first(scenario(Reading.PLAIN), Schedule::random, 1, SCHEDULES))
                .isPresent();
    }

    @ParameterizedTest
    @EnumSource
    void readingAndWritingAreOneRoundTripEach(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            Words record = new Words();
            record.allocate(ct);
            assertThatThrownBy(() -> record.storeConsistent(ct))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("version is not known");
            record.stageAll(1, ct);
            record.storeNew(ct);
            long before = ct.metrics().roundTrips();
            record.stageAll(2, ct);
            record.storeConsistent(ct);
            assertThat(ct.metrics().roundTrips() - before).isEqualTo(1);
            Words again = new Words();
            again.at(record);
            assertThat(again.fetchConsistent(ct)).isTrue();
            assertThat(ct.metrics().roundTrips() - before).isEqualTo(2);
            again.checkEqual();
            assertThat(again.words.fetched(0)).isEqualTo(2);
            again.stageAll(3, ct);
            again.storeConsistent(ct);
            assertThat(record.fetchConsistent(ct)).isTrue();
            assertThat(record.words.fetched(0)).isEqualTo(3);
        });
    }

    @ParameterizedTest
    @EnumSource
    void aRecordWhoseWriterDiedNeverCountsAsWhole(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            Words record = new Words();
            record.allocate(ct);
            record.stageAll(1, ct);
            record.storeNew(ct);
            ct.write(record.pointer(), ct.read(record.pointer()) + 1);
            assertThat(record.fetchConsistent(ct)).isFalse();
            assertThatThrownBy(() -> record.words.fetched(0)).isInstanceOf(IllegalStateException.class);
            record.allocate(ct);
            record.stageAll(5, ct);
            record.storeNew(ct);
            assertThat(record.fetchConsistent(ct)).as("a new record").isTrue();
            assertThat(record.words.fetched(3)).isEqualTo(5);
        });
    }
}
