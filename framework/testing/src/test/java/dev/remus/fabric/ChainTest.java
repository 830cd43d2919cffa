// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The arguments that a chain refuses when it is built, before any fabric gets it. */
class ChainTest {
    private final RemoteSegment segment = new RemoteSegment(3, 1, 4096, 0, 77);
    private final LocalBuffer local = LocalBuffer.unregistered(64);
    private final Chain chain = new Chain(3);

    @Test
    void appendedRequestsCanBeReadBack() {
        chain.write(segment, 8, local, 16, 24).fenced();
        chain.compareAndSwap(segment, 32, 5, 6, local, 40).signalled(9);
        chain.fetchAndAdd(segment, 48, -1, local, 56);
        assertThat(chain.size()).isEqualTo(chain.capacity()).isEqualTo(3);
        assertThat(List.of(chain.operation(0), chain.operation(1), chain.operation(2)))
                .containsExactly(Operation.WRITE, Operation.COMPARE_AND_SWAP, Operation.FETCH_AND_ADD);
        assertThat(chain.segment(0)).isSameAs(segment);
        assertThat(chain.local(0)).isSameAs(local);
        assertThat(new long[] {chain.offset(0), chain.localOffset(0), chain.length(0)})
                .containsExactly(8, 16, 24);
        assertThat(new long[] {chain.operand(1), chain.swap(1), chain.length(1), chain.id(1)})
                .containsExactly(5, 6, 8, 9);
        assertThat(chain.operand(2)).isEqualTo(-1);
        assertThat(List.of(chain.isFenced(0), chain.isFenced(1), chain.isSignalled(0), chain.isSignalled(1)))
                .containsExactly(true, false, false, true);
    }

    @Test
    void clearForgetsFlagsAndIdsToo() {
        chain.read(segment, 0, local, 0, 8).signalled(5).fenced();
        chain.clear().read(segment, 0, local, 0, 8);
        assertThat(chain.size()).isEqualTo(1);
        assertThat(chain.isSignalled(0)).isFalse();
        assertThat(chain.isFenced(0)).isFalse();
        assertThat(chain.id(0)).isZero();
    }

    @Test
    void misalignedOffsetsAreRefused() {
        for (long offset : new long[] {1, 4, 7, -1, Long.MAX_VALUE}) {
            refuses(() -> chain.read(segment, offset, local, 0, 8));
            refuses(() -> chain.write(segment, 0, local, offset, 8));
            refuses(() -> chain.compareAndSwap(segment, offset, 0, 1, local, 0));
            refuses(() -> chain.fetchAndAdd(segment, 0, 1, local, offset));
        }
    }

    @Test
    void lengthsThatAreNotAPositiveMultipleOfEightAreRefused() {
        for (int length : new int[] {0, -8, 1, 4, 12, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            refuses(() -> chain.read(segment, 0, local, 0, length));
            refuses(() -> chain.write(segment, 0, local, 0, length));
        }
    }

    @Test
    void aRequestThatDoesNotFitIntoTheLocalBufferIsRefused() {
        for (long offset : new long[] {64, 72, -8, Long.MAX_VALUE - 7, Long.MIN_VALUE}) {
            refuses(() -> chain.read(segment, 0, local, offset, 8));
            refuses(() -> chain.write(segment, 0, local, offset, 8));
            refuses(() -> chain.compareAndSwap(segment, 0, 0, 1, local, offset));
            refuses(() -> chain.fetchAndAdd(segment, 0, 1, local, offset));
        }
        refuses(() -> chain.read(segment, 0, local, 56, 16));
        refuses(() -> chain.write(segment, 0, local, 0, 72));
        refuses(() -> chain.write(segment, 0, local, 8, Integer.MAX_VALUE - 7));
    }

    @Test
    void aMissingSegmentOrBufferIsRefused() {
        refuses(() -> chain.read(null, 0, local, 0, 8));
        refuses(() -> chain.write(segment, 0, null, 0, 8));
        refuses(() -> chain.compareAndSwap(null, 0, 0, 1, local, 0));
        refuses(() -> chain.fetchAndAdd(segment, 0, 1, null, 0));
    }

    @Test
    void aFullChainTakesNoMore() {
        for (int i = 0; i < 3; i++) {
            chain.read(segment, 0, local, 0, 8);
        }
        assertThatThrownBy(() -> chain.read(segment, 0, local, 0, 8)).isInstanceOf(IllegalStateException.class);
        assertThat(chain.size()).isEqualTo(3);
    }

    @Test
    void anEmptyChainHasNothingToSignalOrToFence() {
        assertThatThrownBy(() -> chain.signalled(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(chain::fenced).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void capacitiesBelowOneAreRefused() {
        assertThatThrownBy(() -> new Chain(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Completions(0)).isInstanceOf(IllegalArgumentException.class);
    }

    /** Checks that the request is refused, and the chain unchanged. */
    private void refuses(Runnable append) {
        chain.clear().read(segment, 8, local, 16, 8).signalled(4);
        assertThatThrownBy(append::run).isInstanceOf(IllegalArgumentException.class);
        assertThat(chain.size()).isEqualTo(1);
        assertThat(chain.operation(0)).isEqualTo(Operation.READ);
        assertThat(chain.offset(0)).isEqualTo(8);
        assertThat(chain.id(0)).isEqualTo(4);
        assertThat(chain.isSignalled(0)).isTrue();
    }
}
