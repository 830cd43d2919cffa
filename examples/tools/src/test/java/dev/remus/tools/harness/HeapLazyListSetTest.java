// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class HeapLazyListSetTest {
    private final HeapLazyListSet set = new HeapLazyListSet();

    @Test
    void anEmptySetContainsNoKeysNotEvenThoseOfTheSentinels() {
        assertThat(set.contains(0)).isFalse();
        assertThat(set.contains(Long.MIN_VALUE)).isFalse();
        assertThat(set.contains(Long.MAX_VALUE)).isFalse();
        assertThat(set.remove(0)).isFalse();
        assertThat(set.checkedSize()).isZero();
    }

    @Test
    void theExtremesOfLongAreKeysLikeAnyOther() {
        for (long key : new long[] {Long.MAX_VALUE, 0, Long.MIN_VALUE}) {
            assertThat(set.insert(key)).isTrue();
            assertThat(set.insert(key)).isFalse();
            assertThat(set.contains(key)).isTrue();
        }
        assertThat(set.checkedSize()).isEqualTo(3);
        assertThat(set.remove(Long.MAX_VALUE)).isTrue();
        assertThat(set.contains(Long.MAX_VALUE)).isFalse();
        assertThat(set.contains(Long.MIN_VALUE)).isTrue();
    }

    @Test
    void oneThreadGetsTheSameResultsAsFromATreeSet() {
        TreeSet<Long> model = new TreeSet<>();
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 20_000; i++) {
            long key = random.nextLong(-20, 20);
            switch (random.nextInt(3)) {
                case 0 -> assertThat(set.insert(key)).isEqualTo(model.add(key));
                case 1 -> assertThat(set.remove(key)).isEqualTo(model.remove(key));
                default -> assertThat(set.contains(key)).isEqualTo(model.contains(key));
            }
        }
        assertThat(set.checkedSize()).isEqualTo(model.size());
    }

    @Test
    void theAuditOfManyThreadsBalances() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<Long>> added = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                SplittableRandom random = new SplittableRandom(thread);
                added.add(threads.submit((Callable<Long>) () -> change(random)));
            }
            long expected = 0;
            for (Future<Long> each : added) {
                expected += each.get(60, TimeUnit.SECONDS);
            }
            assertThat(set.checkedSize()).isEqualTo(expected);
        } finally {
            threads.shutdownNow();
        }
    }

    /** Returns the number of keys inserted less those removed. */
    private long change(SplittableRandom random) {
        long added = 0;
        for (int i = 0; i < 200_000; i++) {
            long key = random.nextLong(16);
            if (random.nextBoolean()) {
                added += set.insert(key) ? 1 : 0;
            } else {
                added -= set.remove(key) ? 1 : 0;
            }
        }
        return added;
    }
}
