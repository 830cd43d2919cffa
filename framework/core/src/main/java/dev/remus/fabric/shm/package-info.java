// SPDX-License-Identifier: Apache-2.0
/**
 * The {@code shm} fabric: segments are files in shared memory that every process of a cluster maps, and an operation is
 * a processor instruction. This is the default: one machine, no hardware, one process or many.
 *
 * <pre>
 *  /dev/shm/remus-USER/            mode 0700, one per user; REMUS_SHM_DIR or -Dremus.shm.dir replace /dev/shm
 *    .lock                         held while a node starts or ends
 *    CLUSTER/
 *      memory-0                    Memory Node 0: locked by its process while it lives; has its version and offer
 *      memory-0.seg-0              its segments, mode 0600
 *      memory-0.seg-1
 *      memory-0.notice             its text for programs that watch the cluster
 *      compute-1                   Compute Node 1: locked by its process while it lives; gone once it has finished
 *      compute-1.notice            its text for programs that watch the cluster
 *      finished.compute-1          replaces compute-1 then, so that a short visit is noticed too
 * </pre>
 *
 * <p>The kernel drops a process's locks when the process ends, however it ends. So a node file that no process has
 * locked belongs to a dead node. The last node to leave a cluster, or the next one to start anywhere, removes the files
 * of dead nodes.
 *
 * <p>Shared memory cannot be taken away from a process. So a Compute Node is lost here only once its process has ended,
 * and that is also what cuts it off ({@link dev.remus.fabric.MemoryEndpoint#fence}). One that is merely stopped is
 * reported as silent; {@code --kill-silent} lets a Memory Node end it, if the process still is the one that registered
 * itself, by its id and the time of its start.
 *
 * <h2>Emulated latencies</h2>
 *
 * <p>With {@code --latency}, an operation completes no sooner than on the hardware of a {@link
 * dev.remus.fabric.CostModel}, in real time. Instructions are still executed when an operation is posted; only its end
 * is late. So no direct access is offered: posted operations go over lanes, which hold back completions and so overlap,
 * and single ones wait for their time. A Compute Node does not see the requests of others: where several compete for a
 * card or for a word, operations may complete sooner than on the hardware. The weak orders of the contract are not
 * played; for these there is the simulator.
 *
 * <h2>Chronicle Bytes</h2>
 *
 * <p>Words are read and written with the {@code UnsafeMemory} of Chronicle's core, which Chronicle Bytes builds on.
 * Files are mapped with {@code MappedFile} and {@code MappedBytesStore} only where a segment is larger than 1 GiB,
 * because every class of Chronicle Bytes 2026.4 for mapped files needs JVM flags. Without them, on Java 17 and 25:
 *
 * <ul>
 *   <li>{@code MappedFile.ofSingle} and {@code MappedBytes.singleMappedBytes} fail with an {@code AssertionError}: they
 *       call the JDK's private {@code map0}, which needs {@code --add-opens=java.base/java.lang.reflect=ALL-UNNAMED}
 *       and {@code --add-exports=java.base/sun.nio.ch=ALL-UNNAMED};
 *   <li>{@code BytesStore.wrap}, on a buffer that Java has mapped, fails with an {@code IllegalAccessError}, because it
 *       uses {@code sun.nio.ch.DirectBuffer}, which needs the second flag;
 *   <li>{@code PointerBytesStore}, on an address, needs none, but loading it prints warnings about missing flags, and
 *       it checks no bounds.
 * </ul>
 *
 * <p>So a smaller segment is a {@code MappedByteBuffer}, of which only the address is used.
 *
 * <p>Depends on {@code dev.remus.fabric}, {@code dev.remus.config}, Chronicle Bytes and, to show a cluster from
 * outside, the offsets of the segment header in {@code dev.remus.memory}. Other packages use it only through the fabric
 * contract.
 */
@NullMarked
package dev.remus.fabric.shm;

import org.jspecify.annotations.NullMarked;
