// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.TestCluster;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class RoundsTest {
    private static final int LONG_RUN = 1000;
    private static final int ROUND = 10;

    /** Operations that count themselves, and end the run early. */
    private static final class Part implements Rounds.Part {
        private final long end;
        private long done;

        Part(long end) {
            this.end = end;
        }

        @Override
        public boolean operate() {
            if (done == end) {
                return false;
            }
            done++;
            return true;
        }

        @Override
        public void startCounting() {}

        @Override
        public void stopCounting() {}
    }

    @ParameterizedTest
    @EnumSource
    void aThreadThatEndsEarlyEndsTheRunOfAllThreadsWithoutATimeLimitToo(Reclamation reclamation) throws Exception {
        ClusterConfig config = TestCluster.config(1, 1, 3).reclaim(reclamation).build();
        Map<Integer, Long> done = new ConcurrentHashMap<>();
        TestCluster.of(config).run(ct -> {
            Rounds rounds = new Rounds(shared(ct), ROUND, ct);
            int end = ct.id() == 1 ? 2 * ROUND + 3 : LONG_RUN;
            done.put(ct.id(), rounds.run(RunLength.ofOperations(LONG_RUN), new Part(end)));
        });
        long others = reclamation == Reclamation.BARRIER ? 3 * ROUND : LONG_RUN; // epochs have no rounds
        assertThat(done).isEqualTo(Map.of(0, others, 1, 2L * ROUND + 3, 2, others));
    }

    private static SharedRounds<OperationKind> shared(ComputeThread ct) {
        SharedRounds<OperationKind> shared = new SharedRounds<>(OperationKind.class, 1, false, ct);
        if (ct.id() == 0) {
            shared.publish(RdmaPtr.nullPointer(), 0, 0, ct);
        }
        ct.barrier();
        shared.find(ct);
        return shared;
    }
}
