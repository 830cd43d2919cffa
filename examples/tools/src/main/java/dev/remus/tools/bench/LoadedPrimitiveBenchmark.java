// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import java.util.List;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The same operations in a process that uses two other fabrics too, so that calls have several targets. */
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // JMH calls startOthers() first
public class LoadedPrimitiveBenchmark extends PrimitiveBenchmark {
    private static final int USES = 20_000;

    private List<PrimitiveBenchmark> others;

    /** Starts the clusters over other fabrics. */
    @Setup
    public void startOthers() throws Exception {
        others = List.of(new PrimitiveBenchmark(), new PrimitiveBenchmark());
        others.get(0).start(new OneProcess(new DelegateFabric(DelegateFabric.FirstMemory::new)));
        others.get(1).start(new OneProcess(new DelegateFabric(DelegateFabric.SecondMemory::new)));
    }

    /** Uses the other fabrics, before each iteration, so that the compiler does not forget them. */
    @Setup(Level.Iteration)
    public void useOthers() {
        for (int i = 0; i < USES; i++) {
            for (PrimitiveBenchmark other : others) {
                other.useAll();
            }
        }
    }

    /** Stops the clusters. */
    @TearDown
    public void stopOthers() {
        others.forEach(PrimitiveBenchmark::stop);
    }
}
