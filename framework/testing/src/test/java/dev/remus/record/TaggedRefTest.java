// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.check.DeterministicSpecification;
import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Recorder;
import dev.remus.junit.SimulationTest;
import dev.remus.memory.InvalidPointerException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.FabricKind;
import dev.remus.node.TestCluster;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SchedulerKind;
import dev.remus.simulation.SimulatedCluster;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class TaggedRefTest {
    /** Pushes a value, or, if it is {@link TreiberStack#EMPTY}, pops one. */
    private record Operation(long value) {}

    private static final class Specification implements DeterministicSpecification<List<Long>, Operation, Long> {
        @Override
        public List<Long> initial() {
            return List.of();
        }

        @Override
        public Step<List<Long>, Long> step(List<Long> stack, Operation operation) {
            List<Long> after = new ArrayList<>(stack);
            if (operation.value() != TreiberStack.EMPTY) {
                after.add(operation.value());
                return new Step<>(after, operation.value());
            }
            long top = after.isEmpty() ? TreiberStack.EMPTY : after.remove(after.size() - 1);
            return new Step<>(after, top);
        }
    }

    private static void run(boolean isTagged, Schedule schedule) throws Exception {
        Recorder<Operation, Long> recorder = new Recorder<>();
        new SimulatedCluster(4, schedule)
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        ct.root().set(TreiberStack.create(isTagged, ct));
                    }
                })
                .run(ct -> {
                    TreiberStack stack = TreiberStack.open(isTagged, ct.root().get());
                    SplittableRandom choices = schedule.choices(ct.id());
                    for (int i = 0; i < 6; i++) {
                        long value = choices.nextBoolean() ? 100L * ct.id() + i : TreiberStack.EMPTY;
                        recorder.record(ct.id(), new Operation(value), () -> stack.run(value, ct));
                    }
                });
        new LinearizabilityChecker<>(new Specification()).judge(recorder.history());
    }

    @SimulationTest(schedules = 300)
    void aStackWithTagsMayUseItsNodesAgainAtOnce(Schedule schedule) throws Exception {
        run(true, schedule);
    }

    @Test
    void theDocumentedTestFindsThatAStackWithoutTagsMayNot() {
        Iterator<Schedule> schedules = SchedulerKind.MIX.schedules(1, 0);
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 1000; i++) {
                        run(false, schedules.next());
                    }
                })
                .hasMessageContaining("not linearizable");
    }

    private static final class Holder extends RemoteRecord {
        final RemoteLong first = longField();
        final TaggedRef<Holder> ref = taggedRefField();
    }

    @ParameterizedTest
    @EnumSource
    void eachChangeIncrementsTheTagEvenIfThePointerComesBack(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(2, 1, 1).build(), ct -> {
            Holder holder = new Holder();
            holder.allocate(ct);
            holder.ref.stage(RdmaPtr.NULL, ct);
            holder.first.stage(1, ct);
            holder.storeStaged(ct);
            long target = ct.allocate(64);

            long empty = holder.ref.load(ct);
            assertThat(holder.ref.targetPointer(empty, ct).isNull()).isTrue();
            assertThat(holder.ref.compareAndSet(empty, target, ct)).isTrue();
            long full = holder.ref.load(ct);
            assertThat(holder.ref.target(full, ct)).isEqualTo(target);
            assertThat(holder.ref.tag(full, ct)).isOne();
            assertThat(holder.ref.compareAndExchange(full, RdmaPtr.NULL, ct)).isEqualTo(full);
            assertThat(holder.ref.compareAndSet(empty, target, ct)).isFalse();
            holder.fetch(ct);
            assertThat(holder.ref.target(holder.ref.fetched(), ct)).isEqualTo(RdmaPtr.NULL);
            assertThat(holder.ref.tag(holder.ref.hint(), ct)).isEqualTo(2);
            assertThat(holder.ref.compareAndSet(holder.ref.fetched(), holder, ct))
                    .isTrue();
            assertThat(holder.ref.target(holder.ref.load(ct), ct)).isEqualTo(holder.pointer());
        });
    }

    @ParameterizedTest
    @EnumSource
    void aTargetFromAReclaimedBlockOnlyFailsWhereTheFieldHasChanged(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(2, 1, 1).build(), ct -> {
            Holder holder = new Holder();
            holder.allocate(ct);
            holder.ref.stage(RdmaPtr.NULL, ct);
            holder.first.stage(1, ct);
            holder.storeStaged(ct);
            long old = holder.ref.load(ct);
            for (long garbage : new long[] {-1, 8, RdmaPtr.raw(2, 0, 64), RdmaPtr.marked(holder.pointer())}) {
                assertThatThrownBy(() -> holder.ref.compareAndSet(old, garbage, ct))
                        .isInstanceOf(InvalidPointerException.class)
                        .hasMessageContaining("start of a block")
                        .hasMessageContaining("Memory Node 0 to 1");
            }
            assertThat(holder.ref.compareAndSet(old, holder, ct)).isTrue();
            assertThat(holder.ref.compareAndSet(old, -1, ct)).isFalse();
        });
    }
}
