// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What the threads of a scenario have done to each key of a map, each of which one thread changes, and the checks of
 * what operations on the whole map see meanwhile.
 */
final class ObservedMap {
    private final List<KeyChanges> changes = new ArrayList<>();
    private long now;

    /** @param keys which are numbers from 0 */
    ObservedMap(int keys) {
        for (int key = 0; key < keys; key++) {
            changes.add(new KeyChanges());
        }
    }

    /** Runs an operation that sets a key to a value, or removes it. */
    void change(long key, long value, Runnable operation) {
        KeyChanges.Change change = changes.get((int) key).begin(value, now++);
        operation.run();
        change.end(now++);
    }

    /** Runs an operation that removes all keys. */
    void clear(Runnable operation) {
        long begin = now++;
        List<KeyChanges.Change> removals = changes.stream()
                .map(key -> key.begin(KeyChanges.MISSING, begin))
                .toList();
        operation.run();
        long end = now++;
        removals.forEach(removal -> removal.end(end));
    }

    /** Checks a look-up: the value must be one that the key had meanwhile. */
    void get(long key, Supplier<Optional<Long>> operation) {
        long begin = now++;
        Optional<Long> value = operation.get();
        check(key, value.orElse(KeyChanges.MISSING), begin, now++);
    }

    /** Checks a walk: no key comes twice, and one that is there all the time comes. */
    void walk(Consumer<BiConsumer<Long, Long>> operation) {
        Map<Long, Long> seen = new HashMap<>();
        long begin = now++;
        operation.accept((key, value) -> {
            if (seen.put(key, value) != null) {
                throw new AssertionError("a walk has come to key " + key + " twice");
            }
        });
        long end = now++;
        for (long key = 0; key < changes.size(); key++) {
            check(key, seen.getOrDefault(key, KeyChanges.MISSING), begin, end);
        }
    }

    /** Checks a count of the entries. */
    void count(LongSupplier operation) {
        long begin = now++;
        long size = operation.getAsLong();
        long end = now++;
        long least = changes.stream().filter(key -> key.isThere(begin, end)).count();
        long most = changes.stream().filter(key -> key.mayBeThere(begin, end)).count();
        if (size < least || size > most) {
            throw new AssertionError("the map has " + size + " entries instead of " + least + " to " + most);
        }
    }

    private void check(long key, long value, long begin, long end) {
        KeyChanges changed = changes.get((int) key);
        if (value == KeyChanges.MISSING ? changed.isThere(begin, end) : !changed.mayHave(value, begin, end)) {
            throw new AssertionError("key " + key + " has value " + value + " (0: none), which it cannot have had");
        }
    }
}
