// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.check.DeterministicSpecification;
import dev.remus.structures.spec.OrderedMapOperation.Load;
import dev.remus.structures.spec.OrderedMapOperation.OnKey;
import dev.remus.structures.spec.OrderedMapOperation.Snapshot;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The specification of an ordered map with snapshots and bulk loads, which is empty at first. These depend on many
 * keys, so the map is one part: histories must be short.
 */
public final class OrderedMapSpecification
        implements DeterministicSpecification<SortedMap<Long, Long>, OrderedMapOperation, SortedMap<Long, Long>> {
    private static final MapSpecification<Long, Long> ONE_KEY = new MapSpecification<>();

    /** Creates it. */
    public OrderedMapSpecification() {}

    @Override
    public SortedMap<Long, Long> initial() {
        return Collections.emptySortedMap();
    }

    @Override
    public Step<SortedMap<Long, Long>, SortedMap<Long, Long>> step(
            SortedMap<Long, Long> before, OrderedMapOperation operation) {
        if (operation instanceof OnKey onKey) {
            return step(before, onKey.operation());
        }
        if (operation instanceof Load load) {
            return before.isEmpty()
                    ? new Step<>(load.entries(), Collections.emptySortedMap())
                    : new Step<>(before, Load.REFUSAL);
        }
        return new Step<>(before, seen(before, (Snapshot) operation));
    }

    private static Step<SortedMap<Long, Long>, SortedMap<Long, Long>> step(
            SortedMap<Long, Long> before, MapOperation<Long, Long> operation) {
        long key = operation.key();
        Step<Optional<Long>, Optional<Long>> one = ONE_KEY.step(Optional.ofNullable(before.get(key)), operation);
        SortedMap<Long, Long> after = new TreeMap<>(before);
        after.remove(key);
        one.state().ifPresent(value -> after.put(key, value));
        return new Step<>(Collections.unmodifiableSortedMap(after), entry(key, one.result()));
    }

    private static SortedMap<Long, Long> seen(SortedMap<Long, Long> map, Snapshot snapshot) {
        SortedMap<Long, Long> seen = new TreeMap<>();
        map.forEach((key, value) -> {
            if (key >= snapshot.from() && key <= snapshot.to() && seen.size() < snapshot.limit()) {
                seen.put(key, value);
            }
        });
        return seen;
    }

    /** What an operation on a key finds. */
    static SortedMap<Long, Long> entry(long key, Optional<Long> value) {
        SortedMap<Long, Long> entry = new TreeMap<>();
        value.ifPresent(v -> entry.put(key, v));
        return entry;
    }

    @Override
    public boolean changesNothing(OrderedMapOperation operation, SortedMap<Long, Long> result) {
        if (operation instanceof Load) {
            return result.equals(Load.REFUSAL);
        }
        return !(operation instanceof OnKey onKey)
                || ONE_KEY.changesNothing(
                        onKey.operation(),
                        Optional.ofNullable(result.get(onKey.operation().key())));
    }
}
