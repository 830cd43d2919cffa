// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import dev.remus.config.ClusterConfig;
import dev.remus.config.ClusterSettings;
import dev.remus.fabric.Environment;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.LossKind;
import dev.remus.fabric.MemoryEndpoint;
import dev.remus.fabric.NoticeFile;
import dev.remus.fabric.PeerState;
import dev.remus.fabric.RealEnvironment;
import dev.remus.fabric.RemoteSegment;
import dev.remus.fabric.Version;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A Memory Node's segments on an RDMA network. */
final class VerbsMemoryEndpoint implements MemoryEndpoint {
    private final ClusterConfig config;
    private final int node;
    private final long segmentBytes;
    private final Reservation own;
    private final List<SegmentMemory> segments = new ArrayList<>();
    private final ConnectedNodes nodes;
    private final Version version;
    private final NoticeFile notice;

    /** For {@link AtomicsCheck}. */
    private @Nullable SegmentMemory testWord;

    /** Held for writing by the thread that frees the memory. */
    private final ReadWriteLock use = new ReentrantReadWriteLock();

    private @Nullable Acceptor acceptor;

    /** For the Compute Node of this process that is the same node; null before {@link #publish}. */
    private @Nullable OwnMemory offered;

    /** Shared by all threads that read: whichever of them keeps a processor soon yields. */
    private final Environment.Pauses turns = RealEnvironment.INSTANCE.newPauses();

    private boolean closed;

    VerbsMemoryEndpoint(ClusterConfig config, int node, Version version) {
        this.config = config;
        this.version = version;
        this.node = node;
        this.notice = new NoticeFile(VerbsFabric.NAME, config.cluster(), true, node);
        this.segmentBytes = config.segmentBytes();
        this.own = Reservation.of(Place.ofMemoryNode(config, node), DeviceChoice.of(config));
        this.nodes = new ConnectedNodes();
        try {
            checkSize();
            SegmentMemory word = new SegmentMemory(own.domain(), AtomicsCheck.BYTES);
            testWord = word;
            word.set(0, AtomicsCheck.VALUE);
            for (int i = 0; i < config.segmentsPerNode(); i++) {
                segments.add(new SegmentMemory(own.domain(), segmentBytes));
            }
        } catch (FabricException e) {
            free();
            throw e;
        } catch (IOException e) {
            free();
            throw new FabricException(
                    "Memory Node " + node + " cannot reserve and register " + config.segmentsPerNode() + " segments of "
                            + segmentBytes + " bytes with "
                            + own.domain().limits().device() + ": " + e.getMessage()
                            + ". " + MemoryLock.advice() + "; or lower " + ClusterSettings.SEGMENT_SIZE_LOG2.names()
                            + " or "
                            + ClusterSettings.SEGMENTS_PER_NODE.names(),
                    e);
        }
    }

    private void checkSize() {
        long most = own.domain().limits().maxRegistration();
        if (segmentBytes > most) {
            throw new FabricException(ClusterSettings.SEGMENT_SIZE_LOG2.names() + " " + config.segmentSizeLog2()
                    + " is too large for fabric verbs: "
                    + own.domain().limits().device() + " registers at most " + most
                    + " bytes in one piece. Choose at most "
                    + (63 - Long.numberOfLeadingZeros(most)) + ", and more "
                    + ClusterSettings.SEGMENTS_PER_NODE.names());
        }
    }

    private void free() {
        if (offered == null) {
            segments.forEach(SegmentMemory::free);
        } else {
            freeOffered(offered);
        }
        if (testWord != null) {
            testWord.free();
        }
        own.close();
    }

    private void freeOffered(OwnMemory memory) {
        try {
            for (SegmentMemory segment : segments) {
                segment.withdraw();
            }
            memory.withdraw();
        } catch (IOException e) {
            throw new FabricException("cannot withdraw a segment: " + e.getMessage(), e);
        }
    }

    @Override
    public int node() {
        return node;
    }

    @Override
    public int segments() {
        return config.segmentsPerNode();
    }

    @Override
    public long segmentBytes() {
        return segmentBytes;
    }

    @Override
    public long get(int segment, long offset) {
        turns.yieldIfDue();
        use.readLock().lock();
        try {
            return segment(segment, offset).get(offset);
        } finally {
            use.readLock().unlock();
        }
    }

    @Override
    public void set(int segment, long offset, long value) {
        use.readLock().lock();
        try {
            segment(segment, offset).set(offset, value);
        } finally {
            use.readLock().unlock();
        }
    }

    private SegmentMemory segment(int segment, long offset) {
        checkOpen();
        if (segment < 0
                || segment >= segments.size()
                || offset < 0
                || offset > segmentBytes - Long.BYTES
                || (offset & 7) != 0) {
            throw new IndexOutOfBoundsException("offset " + offset + " of segment " + segment + " of Memory Node "
                    + node + ", which has " + segments.size() + " segments of " + segmentBytes + " bytes");
        }
        return segments.get(segment);
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("Memory Node " + node + " is closed");
        }
    }

    @Override
    public void publish() {
        use.writeLock().lock();
        try {
            checkOpen();
            if (acceptor != null) {
                throw new IllegalStateException("Memory Node " + node + " is published already");
            }
            List<RemoteSegment> welcome = new ArrayList<>();
            for (int i = 0; i < segments.size(); i++) {
                SegmentMemory memory = segments.get(i);
                welcome.add(new RemoteSegment(node, i, segmentBytes, memory.address(), memory.remoteKey()));
            }
            assert testWord != null; // not closed
            RemoteSegment test = new RemoteSegment(node, 0, Long.BYTES, testWord.address(), testWord.remoteKey());
            long run = Handshake.newRun();
            acceptor = new Acceptor(config, node, own, run, test, welcome, nodes, version);
            offered = OwnMemory.offer(run, segments);
        } catch (IOException e) {
            throw new FabricException(
                    "Memory Node " + node + " cannot listen at " + Place.ofMemoryNode(config, node) + ": "
                            + e.getMessage(),
                    e);
        } finally {
            use.writeLock().unlock();
        }
    }

    @Override
    public PeerState peer(int computeNode) {
        return nodes.state(computeNode);
    }

    @Override
    public LossKind lossOf(int computeNode) {
        return nodes.lossOf(computeNode);
    }

    @Override
    public long incarnation(int computeNode) {
        return nodes.run(computeNode);
    }

    /** Destroys the queue pairs of that run, and answers no further HELLO of it with a WELCOME. */
    @Override
    public boolean fence(int computeNode, long incarnation) {
        return nodes.cutOff(incarnation);
    }

    @Override
    public Optional<Consumer<String>> noticeBoard() {
        return Optional.of(notice::put);
    }

    @Override
    public void close() {
        notice.close();
        use.writeLock().lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            if (acceptor != null) {
                acceptor.close();
            }
            free();
        } finally {
            use.writeLock().unlock();
        }
    }
}
