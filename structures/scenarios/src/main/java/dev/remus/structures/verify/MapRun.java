// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.verify;

import dev.remus.check.Invocation;
import dev.remus.structures.spec.MapOperation;
import dev.remus.verify.RecordedRun;
import java.util.Optional;

/** A recorded run of a map, in {@link MapCodes}. */
final class MapRun {
    static final int NONE = -1;

    private static final MapOperation.Kind[] KINDS = MapOperation.Kind.values();

    private final RecordedRun run;
    private final int threads;

    /** The number of each thread's first operation, and how many it has. */
    private final int[] first;

    private final int[] count;

    MapRun(RecordedRun run, int threads) {
        this.run = run;
        this.threads = threads;
        first = new int[threads];
        count = new int[threads];
        for (int op = 0; op < run.size(); op++) {
            int thread = run.thread(op);
            first[thread] = count[thread]++ == 0 ? op : first[thread];
        }
    }

    int size() {
        return run.size();
    }

    long called(int op) {
        return run.called(op);
    }

    long returned(int op) {
        return run.returned(op);
    }

    boolean isPending(int op) {
        return run.isPending(op);
    }

    long key(int op) {
        return MapCodes.key(run.value(op));
    }

    /** The number of the value that the key had, or that was expected in vain. */
    int seen(int op) {
        return MapCodes.seen(run.value(op));
    }

    /** The number of the value that an operation writes. */
    int written(int op) {
        int thread = run.thread(op);
        return MapCodes.written(thread, op - first[thread], threads);
    }

    /** The operation on a key that wrote a value, or {@link #NONE}. */
    int writer(int number, long key) {
        if (number <= 0) {
            return NONE;
        }
        int thread = (number - 1) % threads;
        int place = (number - 1) / threads;
        int op = first[thread] + place;
        return place < count[thread] && writes(op) && key(op) == key ? op : NONE;
    }

    private MapOperation.Kind kind(int op) {
        return KINDS[run.kind(op)];
    }

    /** Whether an operation has changed the map. */
    boolean changes(int op) {
        return !run.isPending(op) && run.outcome(op) == MapCodes.outcome(true);
    }

    /** Whether an operation has written a value. */
    boolean writes(int op) {
        return changes(op)
                && switch (kind(op)) {
                    case PUT, PUT_IF_ABSENT, REPLACE -> true;
                    case GET, REMOVE, REMOVE_VALUE -> false;
                };
    }

    /** Whether an operation had no effect, because the key had not the value that it expected. */
    boolean expectedInVain(int op) {
        boolean isConditional = kind(op) == MapOperation.Kind.REPLACE || kind(op) == MapOperation.Kind.REMOVE_VALUE;
        return isConditional && !run.isPending(op) && !changes(op);
    }

    /** Whether an operation did not return, and may have changed the map. */
    boolean mayHaveChanged(int op) {
        return run.isPending(op) && kind(op) != MapOperation.Kind.GET;
    }

    /** An operation as the checkers of any object need it. */
    Invocation<MapOperation<Long, String>, Optional<String>> invocation(int op) {
        MapOperation.Kind kind = kind(op);
        Optional<String> value = switch (kind) {
            case PUT, PUT_IF_ABSENT, REPLACE -> name(written(op));
            case GET, REMOVE, REMOVE_VALUE -> Optional.empty();
        };
        Optional<String> expected = switch (kind) {
            case REPLACE, REMOVE_VALUE -> name(seen(op));
            case GET, PUT, PUT_IF_ABSENT, REMOVE -> Optional.empty();
        };
        return new Invocation<>(
                op,
                run.thread(op),
                new MapOperation<>(kind, key(op), value, expected),
                run.isPending(op) || expectedInVain(op) ? Optional.empty() : name(seen(op)),
                run.called(op),
                run.returned(op));
    }

    /** What a value is called in drawings. */
    static Optional<String> name(int number) {
        return switch (number) {
            case MapCodes.MISSING -> Optional.empty();
            case MapCodes.AT_FIRST -> Optional.of("initial");
            case MapCodes.FOREIGN -> Optional.of("foreign");
            default -> Optional.of("v" + number);
        };
    }
}
