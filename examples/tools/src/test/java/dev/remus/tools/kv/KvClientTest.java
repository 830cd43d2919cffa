// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.node.TestCluster;
import dev.remus.tools.harness.Losses;
import dev.remus.tools.harness.RunLength;
import dev.remus.tools.kv.KeyChoice.Distribution;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KvClientTest {
    private static final KvWorkload WORKLOAD = new KvWorkload(
            RunLength.ofOperations(5000),
            0,
            KvMap.HASH,
            100,
            Long.BYTES,
            new KvMix(25, 10, 25, 25),
            100,
            new KeyChoice(Distribution.ZIPFIAN, 0.99, 20, 80),
            0,
            3,
            false);

    /** A map on the heap for one thread, which a subclass damages. */
    private static class HeapStore implements KvStore {
        final Map<Long, Long> map = new HashMap<>();
        int changes;

        @Override
        public long get(long key) {
            return map.getOrDefault(key, MISSING);
        }

        @Override
        public long put(long key, long value) {
            changes++;
            Long old = map.put(key, value);
            return old == null ? MISSING : old;
        }

        @Override
        public boolean replace(long key, long expected, long value) {
            changes++;
            return map.replace(key, expected, value);
        }

        @Override
        public long remove(long key) {
            changes++;
            Long old = map.remove(key);
            return old == null ? MISSING : old;
        }
    }

    private static KvResult run(HeapStore store) {
        KvClient client = new KvClient(store, WORKLOAD, 0, 1, System::nanoTime);
        client.load(0, WORKLOAD.records(), done -> {});
        for (int i = 0; i < WORKLOAD.length().operations(); i++) {
            client.operate();
        }
        long sum = store.map.values().stream().mapToLong(value -> value).sum();
        return new KvResult(
                WORKLOAD,
                TestCluster.config(1, 1, 1).build(),
                new KvBooks(
                        client.counts(),
                        new long[KvMetric.values().length],
                        Losses.NONE,
                        new KvFound(store.map.size(), sum)),
                client.latencies(),
                new KvLoad(1, WORKLOAD.records() * 77L),
                1,
                List.of(),
                List.of(),
                Optional.empty());
    }

    @Test
    void theBooksOfARunWithLossesBalanceUpToOneOperationOfEachLostThread() {
        long[] totals = new long[KvMetric.values().length];
        totals[KvMetric.LOADED.ordinal()] = 60;
        totals[KvMetric.REMOVED.ordinal()] = 5;
        long[] ofLost = new long[KvMetric.values().length];
        ofLost[KvMetric.LOADED.ordinal()] = 30;
        Losses one = new Losses(List.of(1), List.of(2));
        KvBooks books = new KvBooks(totals, ofLost, one, new KvFound(86, 1));
        assertThat(books.text(100))
                .isEqualTo("90 (instead of 100) loaded + 0 added - 5 removed = 85, at most 1 in flight of lost threads,"
                        + " 86 found: balanced");
        assertThat(new KvBooks(totals, ofLost, one, new KvFound(83, 1)).isBalanced(100))
                .isFalse();
        assertThat(new KvBooks(totals, ofLost, one, new KvFound(85, 1)).isBalanced(80))
                .as("more than can have been loaded")
                .isFalse();
        assertThat(new KvBooks(totals, ofLost, Losses.NONE, new KvFound(85, 0)).isBalanced(100))
                .isFalse();
    }

    @Test
    void theBooksOfACorrectMapBalance() {
        KvResult result = run(new HeapStore());
        assertThat(result.isBalanced()).as(result.books()).isTrue();
        assertThat(result.get(KvMetric.OP_COUNT)).isEqualTo(5000);
        assertThat(result.get(KvMetric.INSERT_F)).isZero();
    }

    @Test
    void aLostUpdateIsNoticed() {
        KvResult result = run(new HeapStore() {
            private int replaced;

            @Override
            public boolean replace(long key, long expected, long value) {
                return ++replaced == 100 || super.replace(key, expected, value);
            }
        });
        assertThat(result.isBalanced()).isFalse();
        assertThat(result.books()).endsWith("found, their values DO NOT ADD UP: NOT BALANCED");
    }

    @Test
    void aKeyThatComesBackIsNoticed() {
        KvResult result = run(new HeapStore() {
            @Override
            public long remove(long key) {
                long old = super.remove(key);
                if (changes > 500 && old != MISSING) {
                    map.put(key, old);
                }
                return old;
            }
        });
        assertThat(result.isBalanced()).isFalse();
        assertThat(result.books()).contains("but ").endsWith("NOT BALANCED");
    }

    @Test
    void anOldValueThatIsReturnedTwiceIsNoticed() {
        KvResult result = run(new HeapStore() {
            private long last = MISSING;

            @Override
            public long put(long key, long value) {
                long old = super.put(key, value);
                boolean isWrong = old != MISSING && last != MISSING && changes > 500;
                long answer = isWrong ? last : old;
                last = old;
                return answer;
            }
        });
        assertThat(result.isBalanced()).isFalse();
    }
}
