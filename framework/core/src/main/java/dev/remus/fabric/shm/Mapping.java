// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import dev.remus.fabric.FabricException;
import dev.remus.fabric.LocalBuffer;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import net.openhft.chronicle.bytes.MappedBytesStore;
import net.openhft.chronicle.bytes.MappedFile;
import net.openhft.chronicle.core.io.ReferenceOwner;
import org.jspecify.annotations.Nullable;

/**
 * A segment's file, mapped into this process.
 *
 * <p>It is unmapped when nothing refers to this object any more, and never earlier: an access to unmapped memory ends
 * the JVM, and no check could prevent one thread from closing a mapping that another thread is using. The file itself
 * goes at once, when its Memory Node ends.
 *
 * <p>Java maps at most 2 GiB in one piece. Chronicle Bytes maps more by calling private methods of the JDK, for which
 * the JVM must be started with flags. So only a segment that is too large for Java is mapped that way. The package
 * comment lists the methods and their flags.
 */
final class Mapping {
    /** The largest power of two that a buffer can have as its size. Segments are powers of two. */
    static final long MAX_BYTES_WITHOUT_FLAGS = 1L << 30;

    private static final Cleaner CLEANER = Cleaner.create();

    private final long address;
    private final long bytes;

    /** Keeps the file mapped while it is reachable; null if {@link #CLEANER} unmaps it. */
    @SuppressWarnings({"unused", "FieldCanBeLocal"})
    private final @Nullable MappedByteBuffer buffer;

    /** @param file a file that already has this size */
    Mapping(Path file, long bytes) throws IOException {
        this.bytes = bytes;
        if (bytes <= MAX_BYTES_WITHOUT_FLAGS) {
            buffer = map(file, bytes);
            address = LocalBuffer.address(buffer);
        } else {
            checkFlags(bytes);
            buffer = null;
            MappedFile mapped = MappedFile.ofSingle(file.toFile(), bytes, false);
            ReferenceOwner owner = ReferenceOwner.temporary("remus");
            MappedBytesStore store = mapped.acquireByteStore(owner, 0);
            address = store.addressForRead(0);
            CLEANER.register(this, new Unmap(mapped, store, owner));
        }
    }

    /** Address of the first byte; valid while this object is reachable. */
    long address() {
        return address;
    }

    long bytes() {
        return bytes;
    }

    /** Also maps for an interrupted thread, whose channel would close itself. The interrupt is restored afterwards. */
    private static MappedByteBuffer map(Path path, long bytes) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                    return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
                } catch (ClosedByInterruptException e) {
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Without the flags, Chronicle Bytes would fail with an error that does not name them. */
    private static void checkFlags(long bytes) {
        Module jdk = Object.class.getModule();
        Module chronicle = MappedFile.class.getModule();
        if (!jdk.isOpen("java.lang.reflect", chronicle) || !jdk.isExported("sun.nio.ch", chronicle)) {
            throw new FabricException("a segment of " + bytes + " bytes, which is more than 2^30, needs the JVM flags "
                    + "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED and "
                    + "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED");
        }
    }

    /** This order is the one in which Chronicle Bytes 2026.4 really unmaps. */
    private record Unmap(MappedFile file, MappedBytesStore store, ReferenceOwner owner) implements Runnable {
        @Override
        public void run() {
            store.release(owner);
            file.releaseLast();
            store.release(file);
        }
    }
}
