// SPDX-License-Identifier: Apache-2.0
package dev.remus.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs a test method on a real cluster on this machine, with a name and a port that no other cluster has. The method's
 * parameter decides how:
 *
 * <pre>{@code
 * @LocalCluster(memoryNodes = 1, computeNodes = 2, threadsPerNode = 2, processes = true)
 * void everyNodeSeesTheSet(ComputeThread ct) { ... } // runs in each of the four Compute Threads
 *
 * @LocalCluster(computeNodes = 2)
 * void noKeyIsLost(ThreadCluster cluster) throws Exception { // runs once
 *     Queue<Long> found = new ConcurrentLinkedQueue<>();
 *     cluster.run(ct -> ...); // all nodes in this JVM: bodies share Java objects
 *     assertThat(found)...
 * }
 *
 * @LocalCluster(computeNodes = 2)
 * void noItemIsLost(ProcessCluster cluster) throws Exception { // runs once
 *     cluster.run(Work.class, "1000"); // each node in a JVM of its own
 * }
 * }</pre>
 *
 * <p>With {@code processes = true}, each process makes an object of the test's class by its constructor without
 * parameters, and calls the method in each Compute Thread; methods such as {@code @BeforeEach} and other extensions
 * work in the test's own JVM only.
 *
 * <p>The test fails with the first exception of any Compute Thread, and the output of processes is in its report. It
 * also fails at the time limit, with the stacks of all threads. Nothing stays behind: no process, no shared memory.
 *
 * <p>It may annotate another annotation, which then stands for it with these values.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Test
@ExtendWith(LocalClusterExtension.class)
@SuppressWarnings("exports") // only JUnit uses the extension
public @interface LocalCluster {
    /** The number of Memory Nodes; their ids begin at 0. */
    int memoryNodes() default 1;

    /** The number of Compute Nodes; their ids follow those of the Memory Nodes. */
    int computeNodes() default 2;

    /** The number of Compute Threads of each Compute Node. */
    int threadsPerNode() default 1;

    /** Whether each node is a process; otherwise nodes are threads. Only for a method that takes a Compute Thread. */
    boolean processes() default false;

    /** Other settings of the cluster, as on the command line: {@code "--seg-size=24"}. */
    String[] settings() default {};

    /** The time limit of a run of the cluster in seconds, at least 1. */
    int timeoutSeconds() default 60;
}
