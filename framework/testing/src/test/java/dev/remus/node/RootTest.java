// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.memory.InvalidPointerException;
import dev.remus.memory.RdmaPtr;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class RootTest {
    @ParameterizedTest
    @EnumSource
    void everyThreadFindsTheRootThatOneThreadHasSetAndItsEarlierWrites(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(2, 2, 2).build(), ct -> {
            assertThat(ct.root().get().isNull()).isTrue();
            ct.barrier();
            if (ct.id() == 3) {
                long block = ct.allocate(64);
                for (int i = 0; i < 8; i++) {
                    ct.post(block + 8L * i, 100 + i);
                }
                ct.root().set(new RdmaPtr<>(block));
            }
            while (ct.root().get().isNull()) {
                ct.pause();
            }
            long block = ct.root().get().raw();
            for (int i = 0; i < 8; i++) {
                assertThat(ct.read(block + 8L * i)).isEqualTo(100 + i);
            }
            ct.barrier();
            if (ct.id() == 1) {
                ct.root().set(RdmaPtr.nullPointer());
            }
            ct.barrier();
            assertThat(ct.root().get().isNull()).isTrue();
        });
    }

    @ParameterizedTest
    @EnumSource
    void ofManyPointersSetAtTheSameTimeOneStays(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 2, 3).build(), ct -> {
            long block = RdmaPtr.raw(0, 0, 64 + 64L * ct.id());
            for (int i = 0; i < 20; i++) {
                ct.root().set(new RdmaPtr<>(block));
                assertThat(RdmaPtr.offset(ct.root().get().raw())).isBetween(64L, 64L + 64 * 5);
            }
            ct.barrier();
            long mine = ct.root().get().raw();
            ct.barrier();
            assertThat(ct.root().get().raw()).isEqualTo(mine);
        });
    }

    @ParameterizedTest
    @EnumSource
    void ofManyThreadsThatReplaceNullOneSucceedsAndTheOthersGetItsPointer(FabricKind kind) throws Exception {
        AtomicInteger set = new AtomicInteger();
        kind.run(TestCluster.config(1, 2, 3).build(), ct -> {
            RdmaPtr<Object> mine = RdmaPtr.of(0, 0, 64 + 64L * ct.id());
            RdmaPtr<Object> found = ct.root().compareAndExchange(RdmaPtr.nullPointer(), mine);
            set.addAndGet(found.isNull() ? 1 : 0);
            assertThat(ct.root().get()).isEqualTo(found.isNull() ? mine : found);
            ct.barrier();
            boolean isMine = ct.root().get().equals(mine);
            assertThat(isMine).isEqualTo(found.isNull());
            ct.barrier();
            assertThat(ct.root().compareAndSet(mine, RdmaPtr.nullPointer())).isEqualTo(isMine);
            ct.barrier();
            assertThat(ct.root().get().isNull()).isTrue();
        });
        assertThat(set).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource
    void aPointerSwappedInIsSwappedOutOnceWithAllEarlierWrites(FabricKind kind) throws Exception {
        Queue<Long> out = new ConcurrentLinkedQueue<>();
        Set<Long> in = ConcurrentHashMap.newKeySet();
        kind.run(TestCluster.config(2, 2, 2).lanes(2).build(), ct -> {
            for (int i = 1; i <= 10; i++) {
                long block = ct.allocate(64);
                in.add(block);
                ct.post(block, block + i);
                ct.post(block + 8, i);
                RdmaPtr<?> before = ct.root().getAndSet(new RdmaPtr<>(block));
                if (!before.isNull()) {
                    out.add(before.raw());
                    assertThat(ct.read(before.raw())).isEqualTo(before.raw() + ct.read(before.raw() + 8));
                }
            }
            ct.barrier();
            if (ct.id() == 0) {
                out.add(ct.root().get().raw());
            }
        });
        assertThat(out).containsExactlyInAnyOrderElementsOf(in);
    }

    @ParameterizedTest
    @EnumSource
    void additionsToItAreCountedOnce(FabricKind kind) throws Exception {
        Set<Long> tickets = ConcurrentHashMap.newKeySet();
        kind.run(TestCluster.config(1, 2, 2).build(), ct -> {
            for (int i = 0; i < 20; i++) {
                tickets.add(ct.root().fetchAndAdd(64));
            }
            ct.barrier();
            assertThat(ct.root().get().raw()).isEqualTo(64 * 80);
            ct.barrier();
            ct.root().fetchAndAdd(-64 * 20);
            ct.barrier();
            assertThat(ct.root().get().isNull()).isTrue();
        });
        assertThat(tickets).hasSize(80).allMatch(ticket -> ticket % 64 == 0 && ticket < 64 * 80);
    }

    @ParameterizedTest
    @EnumSource
    void anInvalidPointerIsRefusedAndTheRootIsUnchanged(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            RdmaPtr<Object> block = new RdmaPtr<>(ct.allocate(64));
            ct.root().set(block);
            RdmaPtr<Object> marked = new RdmaPtr<>(RdmaPtr.marked(block.raw()));
            RdmaPtr<Object> nowhere = RdmaPtr.of(5, 0, 64);
            for (RdmaPtr<Object> bad : List.of(marked, nowhere)) {
                assertThatThrownBy(() -> ct.root().getAndSet(bad)).isInstanceOf(InvalidPointerException.class);
                assertThatThrownBy(() -> ct.root().compareAndExchange(block, bad))
                        .isInstanceOf(InvalidPointerException.class);
                assertThatThrownBy(() -> ct.root().compareAndSet(block, bad))
                        .isInstanceOf(InvalidPointerException.class);
            }
            assertThat(ct.root().get()).isEqualTo(block);
        });
    }
}
