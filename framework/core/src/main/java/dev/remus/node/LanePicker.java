// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.LanePolicy;
import java.util.SplittableRandom;

/** Selects the lane for a thread's next chain ({@code --qp-sched-pol}). */
final class LanePicker {
    private final LanePolicy policy;
    private final int lanes;
    private final int thread;
    private final SplittableRandom random;
    private int next;

    /** @param thread the thread's number on its Compute Node */
    LanePicker(LanePolicy policy, int lanes, int thread, long seed) {
        this.policy = policy;
        this.lanes = lanes;
        this.thread = thread;
        this.random = new SplittableRandom(seed);
        this.next = thread % lanes;
    }

    /**
     * Whether no other Compute Thread picks a lane of this thread.
     *
     * @param threads how many Compute Threads the node has
     */
    boolean isOfOneThread(int threads) {
        boolean keepsToOne = policy == LanePolicy.MOD || policy == LanePolicy.ONE_TO_ONE;
        return keepsToOne && threads <= lanes && thread < threads;
    }

    int pick() {
        return switch (policy) {
            case RAND -> random.nextInt(lanes);
            case MOD, ONE_TO_ONE -> thread % lanes;
            case RR -> {
                int now = next;
                next = (next + 1) % lanes;
                yield now;
            }
        };
    }
}
