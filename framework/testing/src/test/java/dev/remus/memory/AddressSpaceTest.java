// SPDX-License-Identifier: Apache-2.0
package dev.remus.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("any-jdk")
class AddressSpaceTest {
    private static final ClusterConfig CONFIG = ClusterConfig.builder()
            .memoryNodes(2, 3)
            .computeNodes(4, 4)
            .segmentSizeLog2(13)
            .segmentsPerNode(2)
            .checkMemory(true)
            .build();
    private static final SegmentLayout LAYOUT = new SegmentLayout(CONFIG);

    private final AddressSpace space = new AddressSpace(CONFIG);

    @Test
    void firstAndLastWordOfTheBlocksOfEverySegmentAreAccepted() {
        for (int node = 2; node <= 3; node++) {
            for (int segment = 0; segment < 2; segment++) {
                long first = RdmaPtr.raw(node, segment, 64);
                long end = LAYOUT.end(segment);
                space.check(first);
                space.check(RdmaPtr.raw(node, segment, end - 8));
                space.checkBlock(first, end - 64);
                space.check(RdmaPtr.raw(node, segment, end - 64), 64);
            }
        }
    }

    static Object[][] invalid() {
        long end = LAYOUT.end(0);
        return new Object[][] {
            {0L, 8L, "null pointer"},
            {8L, 8L, "null plus 8: null pointer"},
            {RdmaPtr.raw(2, 0, 64) | 1, 8L, "marked; use RdmaPtr.unmarked"},
            {RdmaPtr.raw(2, 0, 64) | 4, 8L, "not 8-byte aligned"},
            {RdmaPtr.raw(1, 0, 64), 8L, "no such Memory Node, only 2 to 3"},
            {RdmaPtr.raw(4, 0, 64), 8L, "no such Memory Node, only 2 to 3"},
            {RdmaPtr.raw(1023, 63, 64), 8L, "no such Memory Node"},
            {RdmaPtr.raw(3, 2, 64), 8L, "no such segment, only 0 to 1"},
            {RdmaPtr.raw(3, 0, 56), 8L, "segment header"},
            {RdmaPtr.raw(3, 0, 56), 64L, "segment header"},
            {RdmaPtr.raw(2, 0, end), 8L, "past the end of the blocks"},
            {RdmaPtr.raw(2, 0, end - 8), 16L, "past the end of the blocks"},
            {RdmaPtr.raw(2, 0, 8192), 8L, "past the end of the blocks"},
            {RdmaPtr.raw(2, 0, RdmaPtr.MAX_OFFSET - 7), 8L, "past the end of the blocks"},
            {RdmaPtr.raw(2, 0, 64), Long.MAX_VALUE - 7, "past the end of the blocks"},
            {RdmaPtr.raw(2, 0, 64), 0L, "length"},
            {RdmaPtr.raw(2, 0, 64), -8L, "length"},
            {RdmaPtr.raw(2, 0, 64), Long.MIN_VALUE, "length"},
            {RdmaPtr.raw(2, 0, 64), 12L, "length"},
            {RdmaPtr.raw(2, 0, 64), 1L << 32, "past the end"},
            {RdmaPtr.raw(2, 0, 64), Long.MAX_VALUE - 7, "past the end"},
            {RdmaPtr.raw(2, 0, RdmaPtr.MAX_OFFSET - 7), Long.MAX_VALUE - 7, "past the end"},
            {-8L, 8L, "no such Memory Node"},
        };
    }

    @ParameterizedTest
    @MethodSource("invalid")
    void anInvalidPointerOrLengthIsRefusedWithItsReason(long pointer, long length, String reason) {
        assertThatThrownBy(() -> space.checkBlock(pointer, length))
                .isInstanceOfSatisfying(
                        InvalidPointerException.class,
                        e -> assertThat(e.pointer()).isEqualTo(pointer))
                .hasMessageContaining(reason);
        if (length == 8) {
            assertThatThrownBy(() -> space.check(pointer))
                    .isInstanceOf(InvalidPointerException.class)
                    .hasMessageContaining(reason);
        }
    }

    @Test
    void ofManyRandomPointersExactlyThoseInsideTheBlocksAreAccepted() {
        SplittableRandom random = new SplittableRandom(7);
        int accepted = 0;
        for (int i = 0; i < 100_000; i++) {
            long pointer = random.nextLong();
            if (i % 2 == 0) { // near the border
                pointer = RdmaPtr.raw(random.nextInt(1, 5), random.nextInt(3), random.nextLong(8200));
            }
            long length = random.nextLong(-16, 8300);
            boolean inside = isInside(pointer, length);
            long p = pointer;
            if ((catchThrowable(() -> space.checkBlock(p, length)) == null) != inside
                    || (catchThrowable(() -> space.check(p)) == null) != isInside(p, 8)) {
                throw new AssertionError(RdmaPtr.toString(p) + ", length " + length);
            }
            if (length > 0
                    && length % 8 == 0
                    && (catchThrowable(() -> space.checkTransfer(p, (int) length)) == null) != inside) {
                throw new AssertionError("transfer: " + RdmaPtr.toString(p) + ", length " + length);
            }
            accepted += inside ? 1 : 0;
        }
        assertThat(accepted).isGreaterThan(20);
    }

    private static boolean isInside(long pointer, long length) {
        return isInside(pointer, length, LAYOUT);
    }

    private static boolean isInside(long pointer, long length, SegmentLayout layout) {
        int node = RdmaPtr.node(pointer);
        int segment = RdmaPtr.segment(pointer);
        long offset = RdmaPtr.offset(pointer);
        return offset % 8 == 0
                && length > 0
                && length % 8 == 0
                && CONFIG.isMemoryNode(node)
                && segment < CONFIG.segmentsPerNode()
                && offset >= 64
                && offset + length <= layout.end(segment);
    }

    @Test
    void ofManyRandomPointersExactlyThoseInsideTheBlocksHaveAnAddress() {
        ClusterConfig config = CONFIG.toBuilder().checkMemory(false).build();
        SegmentLayout layout = new SegmentLayout(config);
        KnownSegments mapped = new AddressSpace(config).mapped(AddressSpaceTest::addressOf);
        SplittableRandom random = new SplittableRandom(8);
        for (int i = 0; i < 100_000; i++) {
            long pointer = i % 2 == 0
                    ? RdmaPtr.raw(random.nextInt(6), random.nextInt(4), random.nextLong(8200))
                    : random.nextLong();
            int length = 8 * random.nextInt(1, 1030);
            long expected = addressOf(pointer);
            assertThat(addressIn(mapped, pointer)).isEqualTo(isInside(pointer, 8, layout) ? expected : 0);
            assertThat(addressIn(mapped, pointer, length)).isEqualTo(isInside(pointer, length, layout) ? expected : 0);
        }
    }

    private static long addressIn(KnownSegments mapped, long pointer) {
        return KnownSegments.address(mapped.table(), mapped.last(), pointer);
    }

    private static long addressIn(KnownSegments mapped, long pointer, int length) {
        return KnownSegments.address(mapped.table(), mapped.last(), pointer, length);
    }

    private static long addressOf(long pointer) {
        long segment = pointer >>> 48;
        return (segment + 1) << 32 | RdmaPtr.offset(pointer);
    }

    @Test
    void noAddressIsGivenForWhatWasLostOrClosed() {
        AddressSpace unchecked =
                new AddressSpace(CONFIG.toBuilder().checkMemory(false).build());
        KnownSegments mapped = unchecked.mapped(AddressSpaceTest::addressOf);
        long lost = RdmaPtr.raw(2, 1, 64);
        long kept = RdmaPtr.raw(3, 1, 64);
        unchecked.lose(1, new NodeLostException(1, "not a Memory Node"));
        assertThat(addressIn(mapped, kept)).isEqualTo(addressOf(kept));
        unchecked.lose(2, new NodeLostException(2, "lost"));
        assertThat(addressIn(mapped, lost)).isZero();
        assertThat(addressIn(mapped, lost, 8)).isZero();
        assertThat(addressIn(mapped, kept)).isEqualTo(addressOf(kept));
        assertThat(addressIn(unchecked.mapped(AddressSpaceTest::addressOf), lost))
                .isZero();
        unchecked.close();
        assertThat(addressIn(mapped, kept)).isZero();
        assertThat(addressIn(mapped, kept, 8)).isZero();
        AddressSpace aborted =
                new AddressSpace(CONFIG.toBuilder().checkMemory(false).build());
        mapped = aborted.mapped(AddressSpaceTest::addressOf);
        aborted.abort(new NodeLostException(4, "lost"));
        assertThat(addressIn(mapped, kept)).isZero();
    }

    @Test
    void noAddressIsGivenIfASegmentIsNotMappedOrAllAccessesAreWatched() {
        AddressSpace unchecked =
                new AddressSpace(CONFIG.toBuilder().checkMemory(false).build());
        KnownSegments mapped = unchecked.mapped(p -> RdmaPtr.segment(p) == 1 ? 0 : addressOf(p));
        assertThat(addressIn(mapped, RdmaPtr.raw(2, 0, 64))).isZero();
        assertThat(addressIn(space.mapped(AddressSpaceTest::addressOf), RdmaPtr.raw(2, 0, 64)))
                .isZero();
    }

    @Test
    void aLostMemoryNodeIsNamedAndTheOthersStay() {
        space.lose(2, new NodeLostException(2, "Memory Node 2 is lost"));
        assertThatThrownBy(() -> space.check(RdmaPtr.raw(2, 1, 64)))
                .isInstanceOfSatisfying(
                        NodeLostException.class, e -> assertThat(e.node()).isEqualTo(2));
        assertThatThrownBy(() -> space.checkReachable(RdmaPtr.raw(2, 0, 0))).isInstanceOf(NodeLostException.class);
        assertThatCode(() -> space.check(RdmaPtr.raw(3, 1, 64))).doesNotThrowAnyException();
        assertThatCode(() -> space.checkReachable(RdmaPtr.raw(3, 1, 0))).doesNotThrowAnyException();
    }

    @Test
    void allThreadsReadTheFirstReasonToAbort() {
        space.abort(new NodeLostException(3, "first"));
        space.abort(new NodeLostException(4, "second"));
        assertThatThrownBy(() -> space.check(RdmaPtr.raw(2, 0, 64)))
                .isInstanceOfSatisfying(
                        NodeLostException.class, e -> assertThat(e.node()).isEqualTo(3));
    }

    @Test
    void everyAccessOfAThreadToAValidPointerIsWatched() {
        AddressSpace ofThread = space.forThread();
        AddressSpace ofAnother = space.forThread();
        List<String> watched = new ArrayList<>();
        long word = RdmaPtr.raw(3, 0, 128);
        ofThread.watch((operation, pointer, length) -> watched.add(operation + " " + (pointer - word) + " " + length));
        assertThat(ofThread.admitted(Operation.FETCH_AND_ADD, word)).isEqualTo(word);
        ofThread.admit(Operation.WRITE, word + 8, 16);
        ofThread.admitTransfer(Operation.READ, word, 64);
        ofAnother.admit(Operation.WRITE, word, 8);
        ofThread.check(word);
        ofThread.checkBlock(word, 64);
        assertThatThrownBy(() -> ofThread.admit(Operation.READ, RdmaPtr.NULL, 8))
                .hasMessageContaining("null pointer");
        assertThat(watched).containsExactly("FETCH_AND_ADD 0 8", "WRITE 8 16", "READ 0 64");
    }

    @Test
    void readsThatAreValidatedAreNotWatched() {
        AddressSpace ofThread = space.forThread();
        List<Operation> watched = new ArrayList<>();
        ofThread.watch((operation, pointer, length) -> watched.add(operation));
        assertThat(ofThread.setValidatesReads(true)).isFalse();
        for (Operation operation : Operation.values()) {
            ofThread.admitted(operation, RdmaPtr.raw(3, 0, 128));
        }
        assertThat(watched).doesNotContain(Operation.READ).hasSize(Operation.values().length - 1);
        assertThat(ofThread.setValidatesReads(false)).isTrue();
        ofThread.admitted(Operation.READ, RdmaPtr.raw(3, 0, 128));
        assertThat(watched).contains(Operation.READ);
    }

    @Test
    void accessesAfterTheCloseAreReportedAsSuch() {
        AddressSpace ofThread = space.forThread();
        space.close();
        for (AddressSpace closed : new AddressSpace[] {space, ofThread}) {
            assertThatThrownBy(() -> closed.check(RdmaPtr.raw(2, 0, 64), 8))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
        }
    }

    @Test
    void theSpaceOfAThreadIsClosedAloneAndSharesTheLossesOfItsNode() {
        AddressSpace ofThread = space.forThread();
        AddressSpace ofAnother = space.forThread();
        ofThread.closeThread();
        assertThatThrownBy(() -> ofThread.check(RdmaPtr.raw(2, 0, 64)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(() -> ofThread.checkReachable(RdmaPtr.raw(2, 0, 8)))
                .isInstanceOf(IllegalStateException.class);
        space.check(RdmaPtr.raw(2, 0, 64));
        ofAnother.check(RdmaPtr.raw(2, 0, 64));
        space.lose(2, new NodeLostException(2, "lost"));
        assertThatThrownBy(() -> ofAnother.check(RdmaPtr.raw(2, 0, 64))).isInstanceOf(NodeLostException.class);
    }
}
