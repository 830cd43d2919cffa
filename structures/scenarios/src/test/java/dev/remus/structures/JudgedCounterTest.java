// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.TestCluster;
import dev.remus.structures.FlawedCounter.Flaw;
import dev.remus.structures.spec.CounterScenario;
import dev.remus.structures.verify.CounterCodes;
import dev.remus.structures.verify.CounterJudge;
import dev.remus.structures.verify.RunVerdict;
import dev.remus.verify.LogExchange;
import dev.remus.verify.OperationLog;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs of real threads on a counter over shared memory, judged as a whole. */
@Tag("any-jdk")
@Timeout(300)
class JudgedCounterTest {
    private static final int THREADS = 4;
    private static final int MANY = 250_000; // operations of each thread
    private static final int FEWER = 50_000;
    private static final int STRIPES = 3; // two threads share one

    /** The shipped counter. */
    private record Shipped(RemoteCounter counter) implements CounterScenario.Counter {
        @Override
        public void add(long number, ComputeThread ct) {
            counter.add(number, ct);
        }

        @Override
        public void post(long number, ComputeThread ct) {
            counter.post(number, ct);
        }

        @Override
        public long sum(ComputeThread ct) {
            return counter.sum(ct);
        }
    }

    private static RunVerdict judged(int operations, CounterScenario.Opener opener) throws Exception {
        AtomicReference<RunVerdict> verdict = new AtomicReference<>();
        TestCluster.of(TestCluster.config(2, 1, THREADS).build()).run(ct -> {
            LogExchange logs = new LogExchange();
            if (ct.id() == 0) {
                ct.root("counter").set(RemoteCounter.create(STRIPES, ct));
                logs.create(ct);
                ct.root("logs").set(new RdmaPtr<>(logs.pointer()));
            }
            ct.barrier();
            logs.at(ct.root("logs").get().raw());
            logs.begin(ct);
            OperationLog log = new OperationLog(operations);
            CounterScenario.Counter counter =
                    opener.open(new RdmaPtr<>(ct.root("counter").get().raw()), ct);
            ct.barrier();
            use(counter, operations, log, ct);
            ct.barrier();
            logs.collect(log, ct).ifPresent(run -> verdict.set(new CounterJudge(0).judge(run)));
        });
        return verdict.get();
    }

    private static void use(CounterScenario.Counter counter, int operations, OperationLog log, ComputeThread ct) {
        for (int i = 1; i < operations; i++) {
            if (i % 4 == 1) {
                sum(counter, log, ct);
            } else {
                log.call(CounterCodes.ADD, 1);
                counter.add(1, ct);
                log.returned(CounterCodes.DONE);
            }
        }
        ct.barrier();
        sum(counter, log, ct); // no thread adds any more
    }

    private static void sum(CounterScenario.Counter counter, OperationLog log, ComputeThread ct) {
        log.call(CounterCodes.SUM, 0);
        long sum = counter.sum(ct);
        log.returned(CounterCodes.DONE, sum);
    }

    @Test
    void aMillionOperationsKeepThePromise() throws Exception {
        assertThat(judged(MANY, (This, ct) -> new Shipped(new RemoteCounter(This, ct))))
                .hasToString("1,000,000 operations: intermediate value linearizable and monotonic");
    }

    /** A counter of which thread 2 forgets one addition. */
    private static final class Forgetful implements CounterScenario.Counter {
        private static final int FORGOTTEN = 20_000;

        private final RemoteCounter counter;
        private int additions;

        Forgetful(RemoteCounter counter) {
            this.counter = counter;
        }

        @Override
        public void add(long number, ComputeThread ct) {
            if (ct.id() != 2 || ++additions != FORGOTTEN) {
                counter.add(number, ct);
            }
        }

        @Override
        public void post(long number, ComputeThread ct) {
            counter.post(number, ct);
        }

        @Override
        public long sum(ComputeThread ct) {
            return counter.sum(ct);
        }
    }

    @Test
    void oneForgottenAdditionIsFoundAmong200000Operations() throws Exception {
        assertNotKept(judged(FEWER, (This, ct) -> new Forgetful(new RemoteCounter(This, ct))));
    }

    /** Of the others, some need a lane that is late or breaks, and one needs threads that meet. */
    @ParameterizedTest
    @EnumSource(
            value = Flaw.class,
            names = {"SUM_SKIPS_EMPTY_STRIPES", "SUM_REMEMBERS_OWN_STRIPE", "SUM_WITHOUT_LAST_STRIPE"})
    void aPlantedMistakeIsFound(Flaw flaw) throws Exception {
        assertNotKept(judged(FEWER, (This, ct) -> new FlawedCounter(This, flaw, ct)));
    }

    private static void assertNotKept(RunVerdict verdict) {
        assertThat(verdict).hasToString("200,000 operations: NOT INTERMEDIATE VALUE LINEARIZABLE AND MONOTONIC");
        assertThat(verdict.evidence().orElseThrow().drawing()).contains("sum()", "found the sum");
    }
}
