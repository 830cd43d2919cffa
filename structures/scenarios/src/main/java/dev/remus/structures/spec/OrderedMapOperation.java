package dev.remus.structures.spec;

/** An operation on an ordered map as a whole. It returns the entries that it finds. */
public sealed interface OrderedMapOperation {
    /**
     * An operation on one key. It finds the value that {@link MapOperation} returns.
     *
     * @param operation the operation
     */
    record OnKey(MapOperation<Long, Long> operation) implements OrderedMapOperation {
        @Override
        public String toString() {
            return operation.toString();
        }
    }

    /**
     * The entries of an interval at one moment.
     *
     * @param from its lowest key
     * @param to its highest key
     * @param limit the most entries
     */
    record Snapshot(long from, long to, long limit) implements OrderedMapOperation {
        @Override
        public String toString() {
            return "snapshot(" + from + " to " + to + ", at most " + limit + ")";
        }
    }
}
