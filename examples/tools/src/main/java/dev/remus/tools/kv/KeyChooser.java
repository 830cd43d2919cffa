// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

import java.util.SplittableRandom;
import org.apache.commons.rng.sampling.distribution.RejectionInversionZipfSampler;
import org.apache.commons.rng.sampling.distribution.SharedStateDiscreteSampler;

/**
 * Chooses the keys of one thread's operations: among those that were loaded, and those that this thread has inserted.
 *
 * <p>Keys are numbers from 0. The loaded ones come first; after them, threads insert in turn, so no two insert the same
 * key. A hash map hashes keys, so numbers that follow one another share no bucket, and popular keys are spread; an
 * ordered map gets them from a {@link ScatteredKvStore}.
 */
final class KeyChooser {
    private final KeyChoice choice;
    private final long loaded;
    private final int thread;
    private final int threads;
    private final SplittableRandom random;

    /** Draws a rank from 1, the most popular, to the number of loaded keys. */
    private final SharedStateDiscreteSampler ranks;

    private long inserted;

    KeyChooser(KeyChoice choice, int loaded, int thread, int threads, SplittableRandom random) {
        this.choice = choice;
        this.loaded = loaded;
        this.thread = thread;
        this.threads = threads;
        this.random = random;
        this.ranks = RejectionInversionZipfSampler.of(random::nextLong, loaded, choice.skew());
    }

    /** The key of the next read, update or remove. */
    long next() {
        return key(
                switch (choice.distribution()) {
                    case UNIFORM -> random.nextLong(known());
                    case ZIPFIAN -> ranks.sample() - 1;
                    case LATEST -> known() - ranks.sample();
                    case HOT_SET -> hotOrCold();
                });
    }

    /** A key that no thread has used before. */
    long insert() {
        return key(loaded + inserted++);
    }

    /** How many keys this thread has inserted. */
    long inserted() {
        return inserted;
    }

    private long known() {
        return loaded + inserted;
    }

    private long hotOrCold() {
        long hot = Math.max(1, loaded * choice.hotKeys() / 100);
        boolean isHot = random.nextInt(100) < choice.hotOperations() || hot == known();
        return isHot ? random.nextLong(hot) : random.nextLong(hot, known());
    }

    private long key(long index) {
        return index < loaded ? index : loaded + (index - loaded) * threads + thread;
    }
}
