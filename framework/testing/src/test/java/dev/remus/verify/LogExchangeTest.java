// SPDX-License-Identifier: Apache-2.0
package dev.remus.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.local.LocalConfig;
import dev.remus.local.ProcessCluster;
import dev.remus.local.ThreadCluster;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("any-jdk")
@Timeout(120)
class LogExchangeTest {
    private static final long AHEAD = 3_600_000_000_000L;

    /** A clock of another machine, an hour ahead on each further node, that goes a little too fast. */
    private record OtherClock(int node) implements NodeClock {
        @Override
        public long identity() {
            return node;
        }

        @Override
        public long nanoTime() {
            long now = System.nanoTime();
            return now + node * (AHEAD + now / 1_000_000);
        }
    }

    /** Each thread records as many operations as its id says, but the thread with id 2 very many; returns the run. */
    private static RecordedRun record(IntFunction<NodeClock> clocks) throws Exception {
        AtomicReference<RecordedRun> recorded = new AtomicReference<>();
        new ThreadCluster(LocalConfig.of(1, 2, 2).build()).run(ct -> {
            NodeClock clock = clocks.apply(ct.nodeId());
            LogExchange exchange = new LogExchange(clock);
            open(exchange, ct);
            exchange.begin(ct);
            OperationLog log = new OperationLog(5_000);
            for (int i = 0; i < (ct.id() == 2 ? 5_000 : ct.id()); i++) {
                log.call(ct.id(), i, clock.nanoTime());
                log.returned(9, i, clock.nanoTime());
            }
            ct.barrier();
            exchange.collect(log, ct).ifPresent(recorded::set);
        });
        return recorded.get();
    }

    private static void open(LogExchange exchange, ComputeThread ct) {
        if (ct.id() == 0) {
            exchange.create(ct);
            ct.root().set(new RdmaPtr<>(exchange.pointer()));
        }
        ct.barrier();
        if (ct.id() != 0) {
            exchange.at(ct.root().get());
        }
    }

    private static void assertComplete(RecordedRun run) {
        assertThat(run.size()).isEqualTo(1 + 5_000 + 3);
        int next = 0;
        for (int thread : new int[] {1, 2, 3}) {
            for (int i = 0; i < (thread == 2 ? 5_000 : thread); i++, next++) {
                assertThat(run.thread(next)).isEqualTo(thread);
                assertThat(run.kind(next)).isEqualTo(thread);
                assertThat(run.outcome(next)).isEqualTo(9);
                assertThat(run.value(next)).isEqualTo(i);
                assertThat(run.returned(next)).isGreaterThan(run.called(next));
            }
        }
    }

    @Test
    void theLogsOfAllThreadsAreCollected() throws Exception {
        long before = System.nanoTime();
        RecordedRun run = record(node -> NodeClock.HERE);
        assertComplete(run);
        assertThat(run.clockErrorNanos()).isZero();
        for (int i = 0; i < run.size(); i++) {
            assertThat(run.called(i)).isGreaterThanOrEqualTo(before);
            assertThat(run.returned(i)).isLessThanOrEqualTo(System.nanoTime());
        }
    }

    @Test
    void intervalsByAnotherClockAreWidenedByItsErrorAndCoverTheTrueOnes() throws Exception {
        OtherClock first = new OtherClock(1);
        long before = first.nanoTime();
        RecordedRun run = record(OtherClock::new);
        assertComplete(run);
        assertThat(run.clockErrorNanos()).isPositive();
        long duration = first.nanoTime() - before;
        for (int i = 0; i < run.size(); i++) {
            if (run.thread(i) >= 2) { // of the second Compute Node, whose clock is an hour ahead
                assertThat(run.returned(i) - run.called(i)).isGreaterThanOrEqualTo(2 * run.clockErrorNanos() - 1);
            } else {
                assertThat(run.called(i)).isGreaterThanOrEqualTo(before);
            }
            assertThat(run.called(i)).isGreaterThan(before - duration).isLessThan(before + 2 * duration);
        }
    }

    @Test
    void processesOfOneMachineHaveOneClock() throws Exception {
        new ProcessCluster(LocalConfig.of(1, 2, 1).build()).run(RecordInTurn.class);
    }

    /** Each thread records one operation, one thread after the other. */
    public static final class RecordInTurn implements ComputeNode.Body {
        @Override
        public void run(ComputeThread ct) {
            LogExchange exchange = new LogExchange();
            open(exchange, ct);
            exchange.begin(ct);
            OperationLog log = new OperationLog(1);
            for (int turn = 0; turn < ct.threads(); turn++) {
                if (turn == ct.id()) {
                    log.call(1, turn);
                    log.returned(1);
                }
                ct.barrier();
            }
            exchange.collect(log, ct).ifPresent(run -> {
                assertThat(run.size()).isEqualTo(2);
                assertThat(run.returned(0)).isLessThan(run.called(1));
                assertThat(run.clockErrorNanos()).isZero();
            });
        }
    }
}
