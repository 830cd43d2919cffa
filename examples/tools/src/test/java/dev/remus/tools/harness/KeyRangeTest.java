// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyRangeTest {
    private static final KeyRange ALL = new KeyRange(Long.MIN_VALUE, Long.MAX_VALUE);

    @Test
    void bothEndsBelongToTheRange() {
        assertThat(new KeyRange(0, 4096).size()).isEqualTo(4097);
        assertThat(new KeyRange(-5, -5).size()).isEqualTo(1);
        assertThat(ALL.size()).isEqualTo(BigInteger.TWO.pow(64));
    }

    @Test
    void aShareIsRoundedDown() {
        assertThat(new KeyRange(0, 4096).share(50)).isEqualTo(2048);
        assertThat(new KeyRange(1, 1).share(99)).isZero();
        assertThat(ALL.share(100)).isEqualTo(ALL.size());
        assertThat(ALL.share(0)).isZero();
    }

    @Test
    void keysThatAreSpreadAreDifferentAndInTheRange() {
        KeyRange range = new KeyRange(-10, 13);
        for (int n = 1; n <= 24; n++) {
            int count = n;
            TreeSet<Long> keys = new TreeSet<>(LongStream.range(0, count)
                    .map(i -> range.spread(i, count))
                    .boxed()
                    .toList());
            assertThat(keys).hasSize(count);
            assertThat(keys.first()).isEqualTo(-10);
            assertThat(keys.last()).isLessThanOrEqualTo(13);
        }
    }

    @Test
    void keysCanBeSpreadOverAllLongs() {
        assertThat(ALL.spread(0, 3)).isEqualTo(Long.MIN_VALUE);
        assertThat(ALL.spread(1, 2)).isZero();
        assertThat(ALL.spread(Long.MAX_VALUE - 1, Long.MAX_VALUE)).isBetween(Long.MAX_VALUE - 3, Long.MAX_VALUE);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-3, 3",
        "9223372036854775806, 9223372036854775807",
        "9223372036854775807, 9223372036854775807",
        "-9223372036854775808, -9223372036854775808",
        "-9223372036854775808, -9223372036854775806"
    })
    void everyKeyOfASmallRangeIsDrawnAndNoOther(long lb, long ub) {
        KeyRange range = new KeyRange(lb, ub);
        SplittableRandom random = new SplittableRandom(1);
        TreeSet<Long> drawn = new TreeSet<>();
        for (int i = 0; i < 1000; i++) {
            drawn.add(range.draw(random));
        }
        assertThat(drawn.first()).isEqualTo(lb);
        assertThat(drawn.last()).isEqualTo(ub);
        assertThat(drawn).hasSize(range.size().intValueExact());
    }

    @ParameterizedTest
    @CsvSource({
        "-9223372036854775808, 9223372036854775807",
        "-9223372036854775807, 9223372036854775807",
        "-9223372036854775808, 9223372036854775806",
        "-9223372036854775808, 5"
    })
    void drawingFromHugeRangesReachesAllParts(long lb, long ub) {
        KeyRange range = new KeyRange(lb, ub);
        SplittableRandom random = new SplittableRandom(1);
        long[] drawn = LongStream.generate(() -> range.draw(random)).limit(1000).toArray();
        assertThat(LongStream.of(drawn).min().getAsLong()).isBetween(lb, lb / 2);
        assertThat(LongStream.of(drawn).max().getAsLong()).isBetween(lb / 2, ub);
    }

    @Test
    void anEmptyRangeIsRefused() {
        assertThatThrownBy(() -> new KeyRange(1, 0)).hasMessageContaining("1 to 0 is empty");
    }
}
