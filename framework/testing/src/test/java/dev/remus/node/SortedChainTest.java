// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.memory.InvalidPointerException;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Searches in linked records. */
@Timeout(120)
class SortedChainTest {
    private static final int BYTES = 24;
    private static final int RECORDS = 40;

    /** Two Memory Nodes, so that links lead from one segment to another. */
    private static ClusterConfig config() {
        return TestCluster.config(2, 1, 1).build();
    }

    /** Records with the keys 0, 10, 20, ..., in turn on two nodes; the last one links to null. */
    private static long[] chain(ComputeThread ct) {
        long[] records = new long[RECORDS];
        for (int i = RECORDS - 1; i >= 0; i--) {
            records[i] = ct.allocateOn(i / 2 % 2, BYTES);
            ct.write(records[i], 10L * i);
            ct.write(records[i] + 8, i == RECORDS - 1 ? RdmaPtr.NULL : records[i + 1]);
            ct.write(records[i] + 16, -1);
        }
        return records;
    }

    private static void remove(long record, ComputeThread ct) {
        ct.write(record + 8, RdmaPtr.marked(ct.read(record + 8)));
    }

    private static SortedChain[] both() {
        return new SortedChain[] {SortedChain.ofWords(), SortedChain.ofRecords(BYTES)};
    }

    @ParameterizedTest
    @EnumSource
    void aSearchEndsAtTheFirstRecordThatIsNotBelowTheKey(FabricKind kind) throws Exception {
        kind.run(config(), ct -> {
            long[] records = chain(ct);
            for (SortedChain chain : both()) {
                for (int i = 1; i < RECORDS - 1; i++) {
                    for (int key = 10 * i - 9; key <= 10 * i; key++) {
                        boolean found = chain.search(records[0], records[RECORDS - 1], key, ct);
                        assertThat(found).isEqualTo(key == 10 * i);
                        assertThat(chain.before()).isEqualTo(records[i - 1]);
                        assertThat(chain.link()).isEqualTo(records[i]);
                        assertThat(chain.at()).isEqualTo(records[i]);
                    }
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void theKeysOfTheRecordsWhereASearchStartsAndEndsDoNotCount(FabricKind kind) throws Exception {
        kind.run(config(), ct -> {
            long[] records = chain(ct);
            for (SortedChain chain : both()) {
                assertThat(chain.search(records[3], records[7], 70, ct)).isFalse();
                assertThat(chain.before()).isEqualTo(records[6]);
                assertThat(chain.at()).isEqualTo(records[7]);
                assertThat(chain.search(records[3], records[7], -5, ct)).isFalse();
                assertThat(chain.before()).isEqualTo(records[3]);
                assertThat(chain.search(records[3], records[4], 40, ct)).isFalse();
                assertThat(chain.at()).isEqualTo(records[4]);
                assertThat(chain.search(records[3], RdmaPtr.NULL, 1000, ct)).isFalse();
                assertThat(chain.before()).isEqualTo(records[RECORDS - 1]);
                assertThat(chain.at()).isEqualTo(RdmaPtr.NULL);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aSearchGoesPastRemovedRecords(FabricKind kind) throws Exception {
        kind.run(config(), ct -> {
            long[] records = chain(ct);
            for (int removed : new int[] {4, 5, 8}) {
                remove(records[removed], ct);
            }
            for (SortedChain chain : both()) {
                assertThat(chain.search(records[0], RdmaPtr.NULL, 60, ct)).isTrue();
                assertThat(chain.before()).isEqualTo(records[3]);
                assertThat(chain.link()).isEqualTo(records[4]);
                assertThat(chain.at()).isEqualTo(records[6]);
                assertThat(chain.search(records[0], RdmaPtr.NULL, 70, ct)).isTrue();
                assertThat(chain.before()).isEqualTo(records[6]);
                assertThat(chain.link()).isEqualTo(records[7]);
            }
            assertThat(SortedChain.ofRecords(BYTES).search(records[0], RdmaPtr.NULL, 80, ct))
                    .isFalse();
            assertThat(SortedChain.ofWords().search(records[0], RdmaPtr.NULL, 80, ct))
                    .as("it does not READ the link of the record where it ends")
                    .isTrue();
        });
    }

    @ParameterizedTest
    @EnumSource
    void aSearchCountsEachReadThatItStandsFor(FabricKind kind) throws Exception {
        kind.run(config(), ct -> {
            long[] records = chain(ct);
            ThreadMetrics metrics = ct.metrics();
            long before = metrics.operations();
            long bytes = metrics.readBytes();
            SortedChain.ofWords().search(records[0], RdmaPtr.NULL, 200, ct);
            assertThat(metrics.operations() - before).isEqualTo(1 + 2 * 20 - 1);
            assertThat(metrics.readBytes() - bytes).isEqualTo(8 * (1 + 2 * 20 - 1));
            before = metrics.operations();
            bytes = metrics.readBytes();
            long trips = metrics.roundTrips();
            SortedChain.ofRecords(BYTES).search(records[0], records[RECORDS - 1], 1000, ct);
            assertThat(metrics.operations() - before).isEqualTo(RECORDS - 1);
            assertThat(metrics.roundTrips() - trips).isEqualTo(RECORDS - 1);
            assertThat(metrics.readBytes() - bytes).isEqualTo(BYTES * (RECORDS - 1));
        });
    }

    @ParameterizedTest
    @EnumSource
    void aLinkToMemoryThatIsNoneIsRefused(FabricKind kind) throws Exception {
        ClusterConfig config = config();
        kind.run(config, ct -> {
            long[] records = chain(ct);
            long beyond = RdmaPtr.raw(0, 0, new SegmentLayout(config).end(0));
            for (long wrong : new long[] {RdmaPtr.NULL, records[3] + 2, RdmaPtr.raw(0, 0, 8), beyond, beyond - 8}) {
                ct.write(records[9] + 8, wrong);
                for (SortedChain chain : both()) {
                    assertThatThrownBy(() -> chain.search(records[0], -8, 1000, ct))
                            .isInstanceOf(InvalidPointerException.class);
                }
            }
        });
    }

    @Test
    void recordsWithoutRoomForKeyAndLinkAreRefused() {
        for (long wrong : new long[] {-8, 0, 8, 20, (1L << 30) + 8}) {
            assertThatThrownBy(() -> SortedChain.ofRecords(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("records of " + wrong + " bytes");
        }
    }
}
