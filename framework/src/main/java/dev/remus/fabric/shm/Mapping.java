package dev.remus.fabric.shm;

import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.file.Path;
import net.openhft.chronicle.bytes.MappedBytesStore;
import net.openhft.chronicle.bytes.MappedFile;
import net.openhft.chronicle.core.io.ReferenceOwner;

/**
 * A segment's file, mapped into this process.
 *
 * <p>It is unmapped when nothing refers to this object any more, and at no other time: an access to unmapped memory ends
 * the JVM, and no check could exclude that one thread closes what another is just using. The file itself goes at once,
 * when its Memory Node ends.
 */
final class Mapping {
    private static final Cleaner CLEANER = Cleaner.create();

    private final long address;
    private final long bytes;

    /** @param file exists and has this size already */
    Mapping(Path file, long bytes) throws IOException {
        MappedFile mapped = MappedFile.ofSingle(file.toFile(), bytes, false);
        ReferenceOwner owner = ReferenceOwner.temporary("remus");
        MappedBytesStore store = mapped.acquireByteStore(owner, 0);
        this.address = store.addressForRead(0);
        this.bytes = bytes;
        CLEANER.register(this, new Unmap(mapped, store, owner));
    }

    /** Address of the first byte; valid while this object is reachable. */
    long address() {
        return address;
    }

    long bytes() {
        return bytes;
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
