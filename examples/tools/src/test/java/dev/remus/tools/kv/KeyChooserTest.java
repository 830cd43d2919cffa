// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.remus.tools.kv.KeyChoice.Distribution;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class KeyChooserTest {
    private static final int LOADED = 1000;
    private static final int DRAWS = 200_000;

    private static KeyChooser chooser(Distribution distribution, double skew, int thread) {
        return new KeyChooser(new KeyChoice(distribution, skew, 20, 80), LOADED, thread, 2, new SplittableRandom(5));
    }

    /** How often each key was drawn, as a part of all. */
    private static double[] shares(KeyChooser chooser, int keys) {
        double[] shares = new double[keys];
        for (int i = 0; i < DRAWS; i++) {
            shares[(int) chooser.next()] += 1.0 / DRAWS;
        }
        return shares;
    }

    @Test
    void zipfianSharesFallWithTheRankToThePowerOfTheSkew() {
        for (double skew : new double[] {0.5, 0.99, 1.5}) {
            double[] shares = shares(chooser(Distribution.ZIPFIAN, skew, 0), LOADED);
            double all = 0;
            for (int rank = 1; rank <= LOADED; rank++) {
                all += Math.pow(rank, -skew);
            }
            for (int rank : new int[] {1, 2, 10}) {
                assertThat(shares[rank - 1])
                        .as("skew " + skew + ", rank " + rank)
                        .isCloseTo(Math.pow(rank, -skew) / all, within(0.005));
            }
        }
    }

    @Test
    void uniformSharesAreAlikeAndIncludeTheInsertedKeys() {
        KeyChooser chooser = chooser(Distribution.UNIFORM, 0.99, 1);
        assertThat(chooser.insert()).isEqualTo(1001);
        assertThat(chooser.insert()).isEqualTo(1003);
        double[] shares = shares(chooser, 1004);
        assertThat(shares[0]).isCloseTo(1.0 / 1002, within(0.0005));
        assertThat(shares[1003]).isCloseTo(1.0 / 1002, within(0.0005));
        assertThat(shares[1000]).isZero(); // another thread's
    }

    @Test
    void theNewestKeysAreTheMostPopular() {
        KeyChooser chooser = chooser(Distribution.LATEST, 0.99, 0);
        assertThat(shares(chooser, LOADED)[LOADED - 1]).isGreaterThan(0.1);
        long newest = chooser.insert();
        double[] shares = shares(chooser, LOADED + 1);
        assertThat(shares[(int) newest]).isGreaterThan(0.1);
        assertThat(shares[0]).isLessThan(0.001);
    }

    @Test
    void aPartOfTheOperationsUsesTheHotKeys() {
        double hot = 0;
        double[] shares = shares(chooser(Distribution.HOT_SET, 0.99, 0), LOADED);
        for (int i = 0; i < LOADED / 5; i++) {
            hot += shares[i];
        }
        assertThat(hot).isCloseTo(0.8, within(0.01));
    }

    @Test
    void threadsNeverInsertTheSameKey() {
        Set<Long> keys = new HashSet<>();
        KeyChooser one = chooser(Distribution.UNIFORM, 0.99, 0);
        KeyChooser other = chooser(Distribution.UNIFORM, 0.99, 1);
        for (int i = 0; i < 100; i++) {
            assertThat(keys.add(one.insert())).isTrue();
            assertThat(keys.add(other.insert())).isTrue();
        }
        assertThat(keys).allMatch(key -> key >= LOADED);
    }

    @Test
    void aSkewOfZeroIsRefused() {
        assertThatThrownBy(() -> chooser(Distribution.ZIPFIAN, 0, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
