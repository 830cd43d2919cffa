/**
 * The {@code shm} fabric: segments are files in shared memory that every process of a cluster maps; an operation is a
 * processor instruction. The default: one machine, no hardware, many processes or one.
 *
 * <pre>
 *  /dev/shm/remus-USER/            mode 0700, one per user; REMUS_SHM_DIR or -Dremus.shm.dir replace /dev/shm
 *    .lock                         held while a node starts or ends
 *    CLUSTER/
 *      memory-0                    Memory Node 0: locked by its process while it lives; says what it offers
 *      memory-0.seg-0              its segments, mode 0600
 *      memory-0.seg-1
 *      compute-1                   Compute Node 1: locked by its process while it lives; gone once it has finished
 *      compute-1.notice            what it shows to those who watch the cluster
 *      finished.compute-1          takes its place then, so that a short visit is noticed too
 * </pre>
 *
 * <p>The kernel drops a process's locks when the process ends, however it ends: a node file that nobody has locked is
 * that of a dead node. The last node to leave a cluster, or the next one to start anywhere, removes what dead nodes
 * left.
 *
 * <h2>Chronicle Bytes</h2>
 *
 * <p>Words are read and written with the {@code UnsafeMemory} of Chronicle's core, on which Chronicle Bytes stands.
 * Files are mapped with {@code MappedFile} and {@code MappedBytesStore} only where a segment is larger than 1 GiB,
 * because every face of Chronicle Bytes 2026.4 to a mapped file needs JVM flags. Without them, on Java 17 and 25:
 *
 * <ul>
 *   <li>{@code MappedFile.ofSingle} and {@code MappedBytes.singleMappedBytes} fail with an {@code AssertionError}: they
 *       call the JDK's private {@code map0}, which needs {@code --add-opens=java.base/java.lang.reflect=ALL-UNNAMED}
 *       and {@code --add-exports=java.base/sun.nio.ch=ALL-UNNAMED};
 *   <li>{@code BytesStore.wrap}, on a buffer that Java has mapped, fails with an {@code IllegalAccessError}: it uses
 *       {@code sun.nio.ch.DirectBuffer}, and needs the second flag;
 *   <li>{@code PointerBytesStore}, on an address, needs none, but loading it prints warnings about missing flags, and
 *       it checks no bounds.
 * </ul>
 *
 * <p>So a smaller segment is a {@code MappedByteBuffer}, whose address is all that is used.
 *
 * <p>Depends on {@code dev.remus.fabric}, {@code dev.remus.config}, Chronicle Bytes and, to show a cluster from
 * outside, the offsets of the segment header in {@code dev.remus.memory}; nobody depends on it except
 * through the fabric contract.
 */
@NullMarked
package dev.remus.fabric.shm;

import org.jspecify.annotations.NullMarked;
