// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

/** The objects that the topics of the {@link FabricConformance} suite use. */
interface FabricUnderTest {
    /** The cluster of the running test. Nothing is open in it yet, and the test's end closes it. */
    TestEndpoints cluster();

    /** Starts nodes outside this process. */
    OtherNodes otherNodes();

    /** Runs threads of the kind of the cluster's Compute Threads until they end. Fails if one of them does. */
    default void runThreads(int n, TestThreads.Body body) {
        TestThreads.run(cluster().config().threadKind(), n, body);
    }

    /** The number of repetitions of actions that are slow on some fabrics, to find rare failures. */
    default int repetitions(int usually) {
        return usually;
    }
}
