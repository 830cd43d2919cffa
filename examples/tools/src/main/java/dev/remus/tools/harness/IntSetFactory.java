// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.structures.RemoteLongSet;
import java.util.function.Function;

/** A factory for sets of one kind. All threads of a node use it concurrently. */
public interface IntSetFactory {
    /** Makes an empty set in remote memory. */
    RdmaPtr<?> create(ComputeThread ct);

    /** Makes a thread's handle to a set that {@link #create} made on any node. */
    RemoteLongSet open(RdmaPtr<?> This);

    /** The name of the sets, the same on all nodes. */
    String name();

    /**
     * A factory from a creator and a constructor, as {@code IntSetFactory.of("MySet", MySet::create, MySet::new)}.
     *
     * @param name the name of the sets
     * @param <T> the type that the creator's pointer points to
     */
    static <T> IntSetFactory of(
            String name, Function<ComputeThread, RdmaPtr<T>> create, Function<RdmaPtr<T>, RemoteLongSet> open) {
        return new IntSetFactory() {
            @Override
            public RdmaPtr<?> create(ComputeThread ct) {
                return create.apply(ct);
            }

            @Override
            public RemoteLongSet open(RdmaPtr<?> This) {
                return open.apply(new RdmaPtr<>(This.raw()));
            }

            @Override
            public String name() {
                return name;
            }
        };
    }
}
