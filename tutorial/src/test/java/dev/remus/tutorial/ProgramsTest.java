// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.sim.Fault;
import dev.remus.junit.SimulationTest;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.RemoteLongSet;
import dev.remus.structures.spec.SetScenario;
import dev.remus.structures.verify.MapJudge;
import dev.remus.structures.verify.RunVerdict;
import dev.remus.tutorial.page10.CheckDeque;
import dev.remus.tutorial.page10.DequeKind;
import dev.remus.tutorial.page12.CheckMap;
import dev.remus.tutorial.page12.GrowingMap;
import dev.remus.tutorial.page14.ReadAhead;
import dev.remus.tutorial.page15.JudgeMap;
import dev.remus.tutorial.page5.LazyList;
import dev.remus.tutorial.page5.StripedCounter;
import dev.remus.tutorial.page6.FastList;
import dev.remus.tutorial.page6.ManySearches;
import dev.remus.tutorial.page6.StoreTogether;
import dev.remus.tutorial.page8.BatchingQueue;
import dev.remus.tutorial.page8.SmallQueue;
import dev.remus.verify.OperationLog;
import dev.remus.verify.RecordedRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** The structures of the pages and of the solutions are right in the simulator. */
class ProgramsTest {
    private static final int SCHEDULES = 100;
    private static final int THREADS = 4;
    private static final int CAPACITY = 3;
    private static final int ITEMS = 4;
    private static final int OPERATIONS = 12;

    @SimulationTest(schedules = SCHEDULES)
    void theListOfPage5IsLinearizable(Schedule schedule) throws Exception {
        sets(THREADS, 8)
                .of(LazyList::create, This -> new LazyList(new RdmaPtr<>(This.raw())))
                .run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void theListOfPage6IsLinearizableWithAllTricks(Schedule schedule) throws Exception {
        sets(THREADS, 8)
                .of(FastList::create, This -> new FastList(new RdmaPtr<>(This.raw()), Set.of(FastList.Trick.values())))
                .run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void searchesOfPage6ThatAreMadeTogetherAreLinearizableEachByItself(Schedule schedule) throws Exception {
        sets(THREADS, 8)
                .of(FastList::create, This -> new SearchedTogether(new RdmaPtr<>(This.raw())))
                .run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void theDequeOfPage10WithALockIsLinearizable(Schedule schedule) throws Exception {
        CheckDeque.check(DequeKind.LOCKED, schedule);
    }

    @SimulationTest(
            schedules = SCHEDULES,
            faults = {Fault.PAUSED_THREADS, Fault.STOPPED_THREADS, Fault.LATE_REQUESTS})
    void theDequeOfPage10WithoutLocksIsLinearizableEvenIfThreadsStop(Schedule schedule) throws Exception {
        CheckDeque.check(DequeKind.LOCK_FREE, schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void allThreadsSeeTheStoresOfPage6WhenItsBarrierReturns(Schedule schedule) throws Exception {
        new SimulatedCluster(2, schedule)
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        long array = ct.allocate((StoreTogether.WORDS + 1) * Long.BYTES);
                        for (int i = 0; i <= StoreTogether.WORDS; i++) {
                            ct.write(array + (long) i * Long.BYTES, -1);
                        }
                        ct.root().set(new RdmaPtr<>(array));
                    }
                })
                .run(ct -> {
                    long array = ct.root().get().raw();
                    long ready = array + (long) StoreTogether.WORDS * Long.BYTES;
                    if (ct.id() == 0) {
                        StoreTogether.fill(array, ct);
                        ct.fetchAndAdd(ready, 1);
                    } else {
                        while (ct.read(ready) != 0) {
                            ct.pause();
                        }
                        for (int i = 0; i < StoreTogether.WORDS; i++) {
                            assertThat(ct.read(array + (long) i * Long.BYTES)).isEqualTo(i);
                        }
                    }
                });
    }

    private static SetScenario sets(int threads, int operations) {
        return SetScenario.lazyList(threads, operations, 3, true);
    }

    @SimulationTest(schedules = SCHEDULES)
    void theCounterOfPage5CountsAll(Schedule schedule) throws Exception {
        new SimulatedCluster(THREADS, schedule)
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        ct.root().set(StripedCounter.create(ct));
                    }
                })
                .run(ct -> {
                    StripedCounter counter = new StripedCounter(ct.root().get(), ct);
                    counter.add(ct.id(), ct);
                    assertThat(counter.sum(ct)).isBetween((long) ct.id(), 46L);
                    counter.add(10, ct);
                    ct.barrier();
                    assertThat(counter.sum(ct)).isEqualTo(46);
                });
    }

    @SimulationTest(schedules = SCHEDULES)
    void theItemsOfABatchOfPage8StayTogether(Schedule schedule) throws Exception {
        List<Long> received = new ArrayList<>();
        new SimulatedCluster(THREADS, schedule)
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        ct.root().set(SmallQueue.create(CAPACITY, ct));
                    }
                })
                .run(ct -> {
                    BatchingQueue queue = new BatchingQueue(ct.root().get(), CAPACITY);
                    if (ct.id() == 0) {
                        for (int i = 0; i < (THREADS - 1) * ITEMS; i++) {
                            received.add(queue.dequeue(ct));
                        }
                    } else {
                        long first = 100L * ct.id();
                        queue.enqueueAll(new long[] {first, first + 1, first + 2, first + 3}, ct);
                    }
                });
        Function<Integer, Long> leader = i -> received.get(i - i % ITEMS);
        for (int i = 0; i < received.size(); i++) {
            assertThat(received.get(i)).isEqualTo(leader.apply(i) + i % ITEMS);
        }
    }

    @SimulationTest(schedules = SCHEDULES)
    void theMapOfFixedSizeOfPage12IsLinearizableIfThreadsPutToo(Schedule schedule) throws Exception {
        CheckMap.check(false, true, schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void theGrowingMapOfPage12IsLinearizableIfThreadsPutToo(Schedule schedule) throws Exception {
        CheckMap.check(true, true, schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void theSumOfPage14IsThatOfAllChunksHoweverManyAreReadAhead(Schedule schedule) throws Exception {
        new SimulatedCluster(2, schedule).run(ct -> {
            for (int ahead = 0; ahead <= CAPACITY; ahead++) {
                ReadAhead chunks = new ReadAhead(ReadAhead.create(ITEMS, ct), ITEMS, ahead, ct);
                assertThat(chunks.sum(0, ct)).isEqualTo(8 * (1 + 2 + 3));
            }
        });
    }

    @SimulationTest(schedules = SCHEDULES / 4)
    void theMapOfPage12AsPage15RecordsItIsJudgedLinearizable(Schedule schedule) throws Exception {
        List<OperationLog> logs = Stream.generate(() -> new OperationLog(OPERATIONS))
                .limit(THREADS)
                .toList();
        new SimulatedCluster(THREADS, schedule)
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        ct.root().set(GrowingMap.create(1, 4, ct));
                    }
                })
                .run(ct -> JudgeMap.operate(
                        new GrowingMap(ct.root().get(), ct),
                        OPERATIONS,
                        schedule.choices(ct.id()),
                        logs.get(ct.id()),
                        ct));
        RunVerdict verdict = new MapJudge(key -> false).judge(RecordedRun.of(logs), THREADS);
        assertThat(verdict.isAccepted()).as(verdict.toString()).isTrue();
    }

    /** A list whose lookups are each one of three searches that are made together. */
    private static final class SearchedTogether implements RemoteLongSet {
        private final FastList list;
        private final ManySearches searches;

        SearchedTogether(RdmaPtr<FastList.Shared> This) {
            list = new FastList(This, Set.of(FastList.Trick.values()));
            searches = new ManySearches(This, 3);
        }

        @Override
        public boolean contains(long key, ComputeThread ct) {
            return searches.contains(new long[] {key + 1, key, key - 1}, ct)[1];
        }

        @Override
        public boolean insert(long key, ComputeThread ct) {
            return list.insert(key, ct);
        }

        @Override
        public boolean remove(long key, ComputeThread ct) {
            return list.remove(key, ct);
        }

        @Override
        public long checkedSize(ComputeThread ct) {
            return list.checkedSize(ct);
        }

        @Override
        public void destroy(ComputeThread ct) {
            list.destroy(ct);
        }
    }
}
