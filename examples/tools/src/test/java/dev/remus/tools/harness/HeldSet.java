package dev.remus.tools.harness;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.structures.LazyListSet;

/** Sets that stay in one of their methods until the program is ended, so that a test reaches it there however slow it is. */
public final class HeldSet {
    /** What they print there. */
    public static final String HELD = "held";

    private HeldSet() {}

    private static void hold(ComputeThread ct) {
        System.out.println(HELD);
        while (true) {
            ct.pause();
        }
    }

    /** One that stays in its check. */
    public static final class AtCheck extends OwnSet {
        /** Makes an empty set. */
        public static RdmaPtr<LazyListSet.Shared> create(ComputeThread ct) {
            return OwnSet.create(ct);
        }

        /** Makes a handle. */
        public AtCheck(RdmaPtr<LazyListSet.Shared> This) {
            super(This);
        }

        @Override
        public long checkedSize(ComputeThread ct) {
            hold(ct);
            return 0;
        }
    }

    /** One that stays in its end. */
    public static final class AtDestroy extends OwnSet {
        /** Makes an empty set. */
        public static RdmaPtr<LazyListSet.Shared> create(ComputeThread ct) {
            return OwnSet.create(ct);
        }

        /** Makes a handle. */
        public AtDestroy(RdmaPtr<LazyListSet.Shared> This) {
            super(This);
        }

        @Override
        public void destroy(ComputeThread ct) {
            hold(ct);
        }
    }
}
