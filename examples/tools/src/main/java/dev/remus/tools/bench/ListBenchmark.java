// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** {@code contains} on a lazy list of 2048 keys, with a lower bound for comparison. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ListBenchmark {
    /** The list without the framework. */
    @State(Scope.Thread)
    @SuppressWarnings("NullAway.Init") // JMH calls start() first
    public static class Floor {
        private ListState original;
        private FloorList floor;

        /** Builds the list, and copies it. */
        @Setup
        public void start() throws IOException {
            original = new ListState(new OneProcess());
            floor = new FloorList(original);
        }

        /** Stops the clusters. */
        @TearDown
        public void stop() {
            original.close();
            floor.close();
        }
    }

    /** The list over one fabric, the only one that is loaded. */
    @State(Scope.Thread)
    @SuppressWarnings("NullAway.Init") // JMH calls start() first
    public static class OneFabric {
        private ListState list;

        /** Builds the list. */
        @Setup
        public void start() {
            list = new ListState(new OneProcess());
        }

        /** Stops the cluster. */
        @TearDown
        public void stop() {
            list.close();
        }
    }

    /** A list over each of three fabrics, so that calls through the contract have several targets; one is measured. */
    @State(Scope.Thread)
    public static class ThreeFabrics {
        private static final int USES = 2_000;

        private final ListState[] lists = new ListState[3];

        /** Builds the lists. */
        @Setup
        public void start() {
            lists[0] = new ListState(new OneProcess());
            lists[1] = new ListState(new OneProcess(new DelegateFabric(DelegateFabric.FirstMemory::new)));
            lists[2] = new ListState(new OneProcess(new DelegateFabric(DelegateFabric.SecondMemory::new)));
        }

        /** Stops the clusters. */
        @TearDown
        public void stop() {
            for (ListState list : lists) {
                list.close();
            }
        }

        /** Uses all fabrics, before each iteration, so that the compiler does not forget the others. */
        @Setup(Level.Iteration)
        public void use() {
            for (int i = 0; i < USES; i++) {
                for (ListState list : lists) {
                    list.contains();
                }
            }
        }
    }

    @Benchmark
    public boolean floorContains(Floor state) {
        return state.floor.contains(state.original.key());
    }

    @Benchmark
    public boolean oneFabricContains(OneFabric state) {
        return state.list.contains();
    }

    @Benchmark
    public boolean threeFabricsContains(ThreeFabrics state) {
        return state.lists[0].contains();
    }
}
