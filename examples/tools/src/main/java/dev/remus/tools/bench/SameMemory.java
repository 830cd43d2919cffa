// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A second mapping of a segment of a cluster in this process, used without the framework as the reference. The file is
 * found in this process's list of mappings.
 */
final class SameMemory {
    static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private SameMemory() {}

    /** A segment of Memory Node 0. */
    static MappedByteBuffer of(OneProcess cluster, int segment) throws IOException {
        String name = "/" + cluster.configuration().cluster() + "/memory-0.seg-" + segment;
        Path file = Files.readAllLines(Path.of("/proc/self/maps")).stream()
                .filter(line -> line.endsWith(name))
                .map(line -> Path.of(line.substring(line.indexOf('/'))))
                .findFirst()
                .orElseThrow(() -> new IOException("this process has not mapped " + name));
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size());
        }
    }
}
