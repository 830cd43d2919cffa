// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.structures.LazyListSet;

/** Sets that block in one method until the program is killed, so that even a slow test catches the program there. */
public final class HeldSet {
    /** The line that they print there. */
    public static final String HELD = "held";

    private HeldSet() {}

    private static void hold(ComputeThread ct) {
        System.out.println(HELD);
        while (true) {
            ct.pause();
        }
    }

    /** A set that blocks in its check. */
    public static final class AtCheck extends OwnSet {
        /** Makes an empty set in remote memory. */
        public static RdmaPtr<LazyListSet.Shared> create(ComputeThread ct) {
            return OwnSet.create(ct);
        }

        /** A handle to a set. */
        public AtCheck(RdmaPtr<LazyListSet.Shared> This) {
            super(This);
        }

        @Override
        public long checkedSize(ComputeThread ct) {
            hold(ct);
            return 0;
        }
    }

    /** A set that blocks in its destruction. */
    public static final class AtDestroy extends OwnSet {
        /** Makes an empty set in remote memory. */
        public static RdmaPtr<LazyListSet.Shared> create(ComputeThread ct) {
            return OwnSet.create(ct);
        }

        /** A handle to a set. */
        public AtDestroy(RdmaPtr<LazyListSet.Shared> This) {
            super(This);
        }

        @Override
        public void destroy(ComputeThread ct) {
            hold(ct);
        }
    }
}
