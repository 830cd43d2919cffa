// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.lists;

import dev.remus.structures.LongCachedLazyListSet;
import dev.remus.structures.LongFastLazyListSet;
import dev.remus.structures.LongLazyListSet;
import dev.remus.tools.harness.IntSetFactory;
import java.util.Locale;

/** A list: a curve of a figure. */
enum ListSeries {
    /** The list of the tutorial's page 5. */
    LAZY {
        @Override
        IntSetFactory factory() {
            return IntSetFactory.of(toString(), LongLazyListSet::create, LongLazyListSet::new);
        }

        @Override
        long roundTrips(long keys) {
            return keys / 2 + 16;
        }
    },
    /** The list of its page 6: it reads a node with one READ. */
    FAST {
        @Override
        IntSetFactory factory() {
            return IntSetFactory.of(toString(), LongFastLazyListSet::create, LongFastLazyListSet::new);
        }

        @Override
        long roundTrips(long keys) {
            return keys / 4 + 8;
        }
    },
    /** The fast list with a cache. */
    CACHED {
        @Override
        IntSetFactory factory() {
            return IntSetFactory.of(toString(), LongCachedLazyListSet::create, LongCachedLazyListSet::new);
        }

        @Override
        long roundTrips(long keys) {
            return 4;
        }
    };

    abstract IntSetFactory factory();

    /** The round trips of an operation, roughly, to choose the length of a run. */
    abstract long roundTrips(long keys);

    /** As in tables. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
