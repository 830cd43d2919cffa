// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import dev.remus.fabric.Operation;
import java.util.List;

/**
 * A request as it was posted.
 *
 * @param number in order of posting, from 0
 * @param thread the name of the thread that posted it; empty if the simulator did not start that thread
 * @param lane the name of the lane that executes it
 * @param operation what it does
 * @param pointer the raw pointer to its first word
 * @param words how many words it reads or changes
 * @param operands the words to be written, the first 256 at most; of a COMPARE_AND_SWAP, the expected and the new
 *     word; of a FETCH_AND_ADD, the addend; of a READ, none
 * @param source the line of source that posted it, such as {@code LazyListSet.java:123}; empty if unknown
 */
public record PostedRequest(
        long number,
        String thread,
        String lane,
        Operation operation,
        long pointer,
        int words,
        List<Long> operands,
        String source) {
    /** Copies the operands. */
    public PostedRequest {
        operands = List.copyOf(operands);
    }
}
