// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The hot paths stay as short as they were when they were measured last, and short enough for the compiler to inline
 * them. If a change needs more, measure it ({@code ./remus bench primitives}, {@code bench queues}), and change the
 * limit in the same commit.
 */
class HotPathTest {
    /** C2 inlines a method that is called often if it has at most so many bytes (FreqInlineSize, Java 17 and 25). */
    private static final int INLINED_IF_HOT = 325;

    /** It inlines a method of at most so many bytes wherever it is called (MaxInlineSize). */
    private static final int ALWAYS_INLINED = 35;

    private static final String CHECK = "memory.KnownSegments.address memory.KnownSegments.toAddress "
            + "memory.KnownSegments.isWord memory.KnownSegments.inSegment "
            + "memory.KnownSegments.entry memory.KnownSegments.word memory.KnownSegments.get ";

    /** The paths: their methods, and at most how many bytes they may have together. */
    private enum Path {
        WORD(
                590,
                CHECK
                        + "node.ComputeThread.read node.ComputeThread.write node.ComputeThread.compareAndSwap"
                        + " node.ComputeThread.fetchAndAdd fabric.Words.read fabric.Words.compareAndSwap"),
        FIELD(
                430,
                CHECK + "record.RemoteLong.load record.RemoteLong.store record.RemoteLong.compareAndExchange"
                        + " record.RemoteLong.compareAndSet record.RemoteLong.fetchAdd record.RecordView.pointer"
                        + " record.RemoteField.checkStorable record.RemoteField.checkMutable"),
        ALLOCATE(
                640,
                "node.ComputeThread.allocate node.ThreadBlocks.allocate node.Allocator.allocate"
                        + " node.Allocator.takeFromRun node.Allocator.noted node.Arena.take node.Reserve.take"
                        + " node.FreeLists.take node.FreeLists.list node.FreeLists$LongStack.pop"
                        + " node.PointerSet.remove node.PointerSet.find memory.SegmentLayout.blockBytes"),
        FREE(
                780,
                "node.ComputeThread.free node.ThreadBlocks.free node.Allocator.free node.Allocator.checkGivenBack"
                        + " node.Allocator.put node.Allocator.keep node.Allocator.shareSurplus node.Reserve.putBack"
                        + " node.FreeLists.hold node.FreeLists.put node.FreeLists.list node.FreeLists$LongStack.push"
                        + " node.PointerSet.add node.PointerSet.find memory.SegmentLayout.blockBytes"),
        ENQUEUE(
                800,
                CHECK + "node.ComputeThread.fetchAndAdd structures.LongBufferedQueue.enqueue"
                        + " structures.BufferedQueue.enqueueStaged structures.RingProducer.claim"
                        + " structures.RingProducer.publishLast structures.RingProducer.publish"
                        + " structures.RingProducer.isFree structures.Ring.block"
                        + " structures.LocalItems.setWord node.StampedArray.write node.StampedArray.store"
                        + " node.StampedArray.check fabric.LocalBuffer.putLong"),
        DEQUEUE(
                880,
                CHECK + "node.ComputeThread.postFetchAndAdd node.ComputeThread.fetchAndAdd"
                        + " structures.LongBufferedQueue.dequeue structures.LongBufferedQueue.take"
                        + " structures.RingQueue.await structures.RingConsumer.poll structures.RingConsumer.fetch"
                        + " structures.RingConsumer.take structures.Ring.block structures.LocalItems.word"
                        + " node.StampedArray.read node.StampedArray.check fabric.LocalBuffer.getLong");

        private final int limit;
        private final String methods;

        Path(int limit, String methods) {
            this.limit = limit;
            this.methods = methods;
        }

        List<String> methods() {
            return List.of(methods.split(" "));
        }
    }

    /** The bytes of each method of a class, the largest of its overloads. */
    private static Map<String, Integer> sizes(String name) {
        Map<String, Integer> sizes = new HashMap<>();
        try (InputStream file =
                HotPathTest.class.getResourceAsStream("/dev/remus/" + name.replace('.', '/') + ".class")) {
            new ClassReader(Objects.requireNonNull(file, name)).accept(new Measuring(sizes), 0);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return sizes;
    }

    /** Copies a class, for the offset at the end of each method. */
    private static final class Measuring extends ClassVisitor {
        private final Map<String, Integer> sizes;

        Measuring(Map<String, Integer> sizes) {
            super(Opcodes.ASM9, new ClassWriter(0));
            this.sizes = sizes;
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] thrown) {
            return new MethodVisitor(Opcodes.ASM9, super.visitMethod(access, name, descriptor, signature, thrown)) {
                @Override
                public void visitMaxs(int stack, int locals) {
                    Label end = new Label();
                    visitLabel(end);
                    super.visitMaxs(stack, locals);
                    sizes.merge(name, end.getOffset(), Math::max);
                }
            };
        }
    }

    private static int bytes(String method) {
        int dot = method.lastIndexOf('.');
        return Objects.requireNonNull(
                sizes(method.substring(0, dot)).get(method.substring(dot + 1)),
                () -> "there is no method " + method + ": name the one that has its place");
    }

    @ParameterizedTest
    @EnumSource
    void aHotPathHasNotGrown(Path path) {
        int all = path.methods().stream().mapToInt(HotPathTest::bytes).sum();
        assertThat(all)
                .as("bytes of the path " + path + ", which must be measured again if it grows: " + path.methods())
                .isLessThanOrEqualTo(path.limit)
                .as("the limit is close, so that growth is noticed")
                .isGreaterThan(path.limit * 3 / 4);
    }

    @ParameterizedTest
    @EnumSource
    void everyMethodOfAHotPathIsShortEnoughToBeInlined(Path path) {
        assertThat(path.methods())
                .allSatisfy(method -> assertThat(bytes(method)).isLessThanOrEqualTo(INLINED_IF_HOT));
    }

    @Test
    void theCheckOfAPointerIsInlinedWhereverItIs() {
        for (String leaf : List.of("entry", "word", "get", "toAddress", "isWord", "inSegment")) {
            assertThat(bytes("memory.KnownSegments." + leaf)).isLessThanOrEqualTo(ALWAYS_INLINED);
        }
    }

    @Test
    void theSearchOfAChainIsTooLongToBeInlinedWhereItsVariablesWouldNotStayInRegisters() {
        assertThat(bytes("node.SortedChain.search")).isBetween(INLINED_IF_HOT + 1, 560);
    }
}
