// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentLayout;
import dev.remus.node.ComputeThread;
import dev.remus.node.LockWords;
import dev.remus.simulation.Finding;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.structures.spec.HashMapHandle;
import dev.remus.structures.spec.HashMapLossScenario;
import dev.remus.structures.spec.HashMapScenario;
import dev.remus.structures.spec.MapOperation;
import dev.remus.structures.spec.SetLossScenario;
import dev.remus.structures.spec.SetScenario;
import dev.remus.structures.spec.TreeHandle;
import dev.remus.structures.spec.TreeLossScenario;
import dev.remus.structures.spec.TreeScenario;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Scenarios with losses notice if a structure forgets the blocks that lost threads have removed in part. */
@Tag("any-jdk")
class ForgottenBlocksTest {
    private static final int SCHEDULES = 1000;

    @Test
    void aLazyListWhoseRecoveryForgetsEachBlockThatItUnlinksIsFound() {
        SetScenario lazyList = SetScenario.lazyList(2, 8, 2, false);
        SetScenario flawed = lazyList.of(
                lazyList.creator(),
                This -> new Forgetful(This.raw(), lazyList.opener().apply(This)));
        isFound(new SetLossScenario(flawed), "were removed and forgotten");
    }

    @Test
    void anOrderedMapThatForgetsABlockInEachRemoveOnceANodeIsLostIsFound() {
        TreeScenario map = TreeScenario.shipped(4, 6, 6);
        isFound(
                new TreeLossScenario(map.of((This, remembered, ct) ->
                        forgetful(TreeHandle.class, map.opener().open(This, remembered, ct)))),
                "bytes are missing");
    }

    @Test
    void aHashMapThatForgetsABlockInEachRemoveOnceANodeIsLostIsFound() {
        HashMapScenario map = HashMapScenario.growing(2, 24, 4, false);
        isFound(
                new HashMapLossScenario(map.of((This, remembered, ct) ->
                        forgetful(HashMapHandle.class, map.opener().open(This, remembered, ct)))),
                "bytes are missing");
    }

    private static void isFound(Scenario scenario, String message) {
        Optional<Finding> found = Finding.first(scenario, Schedule::random, 1, SCHEDULES);
        assertThat(found).isPresent();
        assertThat(found.orElseThrow().cause()).hasMessageContaining(message);
    }

    private static <H> H forgetful(Class<H> kind, H handle) {
        InvocationHandler forgetting = (proxy, method, arguments) -> {
            boolean removes = method.getName().equals("execute")
                    && ((MapOperation<?, ?>) arguments[0]).kind() == MapOperation.Kind.REMOVE;
            ComputeThread ct = (ComputeThread) arguments[arguments.length - 1];
            if (removes && ct.peers().isAnyNodeLost()) {
                ct.allocate(2L * SegmentLayout.BLOCK);
            }
            try {
                return method.invoke(handle, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        return kind.cast(Proxy.newProxyInstance(kind.getClassLoader(), new Class<?>[] {kind}, forgetting));
    }

    /** A lazy list that, once a node is lost, unlinks removed nodes before each operation, and forgets them. */
    private record Forgetful(long root, RemoteLongSet list) implements RemoteLongSet {
        private static final int NEXT = 8;
        private static final int LOCK = 16;

        @Override
        public boolean contains(long key, ComputeThread ct) {
            return list.contains(key, ct);
        }

        @Override
        public boolean insert(long key, ComputeThread ct) {
            recover(ct);
            return list.insert(key, ct);
        }

        @Override
        public boolean remove(long key, ComputeThread ct) {
            recover(ct);
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

        private void recover(ComputeThread ct) {
            if (!ct.peers().isAnyNodeLost()) {
                return;
            }
            long pred = ct.read(root);
            long curr = ct.read(pred + NEXT);
            while (curr != RdmaPtr.NULL) {
                long next = ct.read(curr + NEXT);
                if (RdmaPtr.isMarked(next)) {
                    unlink(pred, curr, RdmaPtr.unmarked(next), ct);
                } else {
                    pred = curr;
                }
                curr = RdmaPtr.unmarked(next);
            }
        }

        private static void unlink(long pred, long curr, long next, ComputeThread ct) {
            long ofPred = acquire(pred + LOCK, ct);
            long ofCurr = acquire(curr + LOCK, ct);
            if (ct.read(pred + NEXT) == curr) {
                ct.write(pred + NEXT, next);
            }
            ct.lockWords().release(curr + LOCK, ofCurr);
            ct.lockWords().release(pred + LOCK, ofPred);
        }

        private static long acquire(long lock, ComputeThread ct) {
            long mark = ct.lockWords().newMark();
            long seen = LockWords.FREE;
            long found = ct.lockWords().tryAcquire(lock, seen, mark);
            while (found != seen) {
                while (!ct.lockWords().canAcquire(found)) {
                    ct.pauseForHolder(LockWords.holder(found));
                    found = ct.read(lock);
                }
                seen = found;
                found = ct.lockWords().tryAcquire(lock, seen, mark);
            }
            return mark;
        }
    }
}
