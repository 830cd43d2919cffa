package dev.remus.tutorial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.junit.SimulationTest;
import dev.remus.memory.RdmaPtr;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.spec.SetScenario;
import dev.remus.tutorial.page5.LazyList;
import dev.remus.tutorial.page5.StripedCounter;
import dev.remus.tutorial.page6.FastList;
import dev.remus.tutorial.page8.BatchingQueue;
import dev.remus.tutorial.page8.SmallQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** The structures of the pages, and those of the solutions, in the simulator. */
class ProgramsTest {
    private static final int SCHEDULES = 100;
    private static final int THREADS = 4;
    private static final int CAPACITY = 3;
    private static final int ITEMS = 4;

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

    private static SetScenario sets(int threads, int operations) {
        return SetScenario.lazyList(threads, operations, 3, true);
    }

    @SimulationTest(schedules = SCHEDULES)
    void theCounterOfPage5CountsAll(Schedule schedule) throws Exception {
        new SimulatedCluster(THREADS, schedule)
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        ct.setRoot(StripedCounter.create(ct));
                    }
                })
                .run(ct -> {
                    StripedCounter counter = new StripedCounter(ct.getRoot(), ct);
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
                        ct.setRoot(SmallQueue.create(CAPACITY, ct));
                    }
                })
                .run(ct -> {
                    BatchingQueue queue = new BatchingQueue(ct.getRoot(), CAPACITY);
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
}
