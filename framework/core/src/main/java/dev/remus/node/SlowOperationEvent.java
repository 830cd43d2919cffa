// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/**
 * A blocking remote operation, for the Java Flight Recorder, with the name {@value #NAME}. It is recorded only on
 * request, and only for operations that take at least a millisecond, or the threshold that the recording sets, for
 * example
 *
 * <pre>
 * -XX:StartFlightRecording:dumponexit=true,dev.remus.SlowOperation#enabled=true,dev.remus.SlowOperation#threshold=100us
 * </pre>
 *
 * <p>A Compute Thread checks once, when it is opened, whether the event is enabled. So the recording must have begun by
 * then. Without a recording, the event costs nothing.
 */
@Name(SlowOperationEvent.NAME)
@Label("Slow remote operation")
@Description("A blocking remote operation that took at least as long as the threshold")
@Category("Remus")
@Enabled(false)
@Threshold("1 ms")
@StackTrace(true)
@SuppressWarnings("unused") // the fields are read by the recorder
public final class SlowOperationEvent extends Event {
    /** The name of the event in recordings and settings. */
    public static final String NAME = "dev.remus.SlowOperation";

    @Label("Operation")
    private @Nullable String operation;

    @Label("Pointer")
    @Description("The remote pointer, 0 if there is not one only")
    private long pointer;

    @Label("Bytes")
    private int bytes;

    /** An event that has not begun. */
    public SlowOperationEvent() {}

    /** Whether any recording has enabled such events. */
    static boolean isWanted() {
        return new SlowOperationEvent().isEnabled();
    }

    /**
     * Ends the event, and records it if it took long enough.
     *
     * @param kind READ, WRITE, COMPARE_AND_SWAP, FETCH_AND_ADD, PLACE or SEQUENCE
     * @param where the remote pointer, 0 if there are several
     * @param length the number of bytes transferred
     */
    void finish(String kind, long where, int length) {
        end();
        if (shouldCommit()) {
            operation = kind;
            pointer = where;
            bytes = length;
            commit();
        }
    }
}
