// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.BlockingOperations;
import dev.remus.fabric.ComputeEndpoint;
import dev.remus.fabric.Link;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.NoticeFile;
import dev.remus.fabric.Version;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** A Compute Node on an RDMA network. */
final class VerbsComputeEndpoint implements ComputeEndpoint {
    private final int node;
    private final long run = Handshake.newRun();
    private final Reservation own;
    private final Dialer dialer;
    private final List<VerbsLink> links = new CopyOnWriteArrayList<>();
    private final NoticeFile notice;
    private volatile boolean closed;

    VerbsComputeEndpoint(ClusterConfig config, int node, Version version) {
        this.node = node;
        this.notice = new NoticeFile(VerbsFabric.NAME, config.cluster(), false, node);
        this.own = Reservation.of(Place.ofComputeNode(config, node), DeviceChoice.of(config));
        this.dialer = new Dialer(config, node, run, own, version, this::checkOpen);
    }

    @Override
    public int node() {
        return node;
    }

    @Override
    public long incarnation() {
        return run;
    }

    @Override
    public Link connect(int memoryNode, int lanes, Duration timeout) {
        if (lanes < 1) {
            throw new IllegalArgumentException("a link with " + lanes + " lanes: needs at least 1");
        }
        checkOpen();
        VerbsLink link = VerbsLink.open(dialer, memoryNode, lanes, timeout, links::remove);
        synchronized (this) {
            if (!closed) {
                links.add(link);
                return link;
            }
        }
        link.close();
        throw new IllegalStateException("Compute Node " + node + " is closed");
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("Compute Node " + node + " is closed");
        }
    }

    @Override
    public LocalBuffer allocateLocal(long bytes) {
        return own.domain().allocateLocal(bytes);
    }

    @Override
    public Optional<BlockingOperations> directOperations(List<Link> links) {
        return Optional.empty();
    }

    @Override
    public Optional<Consumer<String>> noticeBoard() {
        return Optional.of(notice::put);
    }

    @Override
    public void abandon() {
        close(false);
        notice.abandon();
    }

    @Override
    public void close() {
        close(true);
        notice.close();
    }

    private void close(boolean goodbye) {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        links.forEach(link -> link.close(goodbye));
        own.close();
    }
}
