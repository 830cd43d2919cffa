// SPDX-License-Identifier: Apache-2.0
package dev.remus.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.remus.memory.InvalidFreeException;
import dev.remus.memory.InvalidPointerException;
import dev.remus.memory.MixedAccessException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import org.junit.jupiter.api.Tag;

/** Mistakes whose first half another process has made, with {@code --check-memory}. */
@Tag("processes")
class CheckedProcessesTest {
    private static final int BYTES = 128;

    @LocalCluster(computeNodes = 2, processes = true, settings = "--check-memory")
    void theUseOfABlockThatAnotherProcessHasFreedIsReported(ComputeThread ct) {
        long block = shared(ct);
        if (ct.id() == 0) {
            ct.free(block, BYTES);
        }
        ct.barrier();
        if (ct.id() == 1) {
            assertThat(catchThrowable(() -> ct.read(block + 64)))
                    .isInstanceOf(InvalidPointerException.class)
                    .hasMessageMatching("READ of 8 bytes at pointer \\(node 0, segment \\d, offset 0x[0-9a-f]+\\):"
                            + " the block at \\(node 0, segment \\d, offset 0x[0-9a-f]+\\), 128 bytes long, is free:"
                            + " Compute Thread 0 of Compute Node 1 freed it at \\d{4}-\\d\\d-\\d\\dT.*Z");
            assertThat(catchThrowable(() -> ct.write(block, 1))).hasMessageStartingWith("WRITE of 8 bytes");
            assertThat(catchThrowable(() -> ct.compareAndSwap(block, 0, 1)))
                    .hasMessageStartingWith("COMPARE_AND_SWAP of 8 bytes");
            assertThat(catchThrowable(() -> ct.free(block, BYTES)))
                    .isInstanceOf(InvalidFreeException.class)
                    .hasMessageContaining("it is free already, with 128 bytes: Compute Thread 0 of Compute Node 1");
        }
        ct.barrier();
    }

    @LocalCluster(computeNodes = 2, processes = true, settings = "--check-memory")
    void aWriteToAWordThatAnotherProcessHasSwappedIsReported(ComputeThread ct) {
        long block = shared(ct);
        if (ct.id() == 0) {
            ct.compareAndSwap(block + 8, 0, 1);
        }
        ct.barrier();
        if (ct.id() == 1) {
            ct.write(block, 1);
            assertThat(catchThrowable(() -> ct.write(block + 8, 1)))
                    .isInstanceOf(MixedAccessException.class)
                    .hasMessageStartingWith("WRITE of 8 bytes at pointer (" + RdmaPtr.toString(block + 8) + "): ");
        }
        ct.barrier();
    }

    private static long shared(ComputeThread ct) {
        if (ct.id() == 0) {
            ct.root().set(new RdmaPtr<>(ct.allocate(BYTES)));
        }
        ct.barrier();
        return ct.root().get().raw();
    }
}
