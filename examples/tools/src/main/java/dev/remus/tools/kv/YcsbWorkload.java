// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

import dev.remus.tools.kv.KeyChoice.Distribution;
import java.util.Locale;

/**
 * The core workloads of YCSB.
 *
 * <p>Source: B. Cooper, A. Silberstein, E. Tam, R. Ramakrishnan, R. Sears, "Benchmarking Cloud Serving Systems with
 * YCSB", SoCC 2010, table 2.
 */
enum YcsbWorkload {
    /** Update heavy: half of the operations update. */
    A(new KvMix(50, 0, 0, 0), Distribution.ZIPFIAN),
    /** Read heavy: one of 20 updates. */
    B(new KvMix(5, 0, 0, 0), Distribution.ZIPFIAN),
    /** Read only. */
    C(new KvMix(0, 0, 0, 0), Distribution.ZIPFIAN),
    /** Read latest: one of 20 inserts, and the newest keys are read most. */
    D(new KvMix(0, 5, 0, 0), Distribution.LATEST),
    /** Short ranges: scans, and one of 20 inserts. Needs an ordered map. */
    E(new KvMix(0, 5, 0, 0, 95), Distribution.ZIPFIAN),
    /** Read-modify-write: half of the operations read a value and replace it. */
    F(new KvMix(0, 0, 50, 0), Distribution.ZIPFIAN);

    private final KvMix mix;
    private final Distribution distribution;

    YcsbWorkload(KvMix mix, Distribution distribution) {
        this.mix = mix;
        this.distribution = distribution;
    }

    KvMix mix() {
        return mix;
    }

    Distribution distribution() {
        return distribution;
    }

    /** As on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
