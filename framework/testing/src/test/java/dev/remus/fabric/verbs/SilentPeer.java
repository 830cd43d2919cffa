// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import com.ibm.disni.verbs.RdmaCmId;
import dev.remus.config.ClusterConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A peer that is connected and never answers, as behind a network that is gone: it accepts a connection and destroys
 * its own end without notifying the other.
 */
final class SilentPeer implements AutoCloseable {
    private static final PathOptions OPTIONS = new PathOptions(0, 6, 7, 0);
    private static final int EVENT_MILLIS = 20;

    private final Reservation own;
    private final ByteBuffer event = Verbs.newEvent();
    private final Thread thread = new Thread(this::serve, "silent peer");
    private final CountDownLatch silent = new CountDownLatch(1);
    private volatile boolean closing;
    private volatile @Nullable RdmaCmId accepted;

    /** @param place the place of a node of that cluster that does not run, on this machine */
    SilentPeer(ClusterConfig config, Place place) throws IOException {
        own = Reservation.of(place, DeviceChoice.of(config));
        Verbs.listen(own.id());
        thread.start();
    }

    private void serve() {
        QueuePair pair = null;
        try {
            while (!closing) {
                int type = Verbs.event(own.channel(), event, EVENT_MILLIS);
                if (type == Verbs.CONNECT_REQUEST) {
                    RdmaCmId id = Verbs.requested(own.channel(), event.getLong(Long.BYTES));
                    accepted = id;
                    pair = new QueuePair(id, own.domain(), 0);
                    OPTIONS.accept(id);
                } else if (type == Verbs.ESTABLISHED && pair != null) {
                    pair.close(); // does not notify the other end
                    pair = null;
                    silent.countDown();
                }
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Connects to it from the port of a node; when this returns, it is silent. */
    Connection connect(Reservation from, Place place, int depth) throws Exception {
        InetAddress to = place.addresses().get(0);
        long deadline = System.nanoTime() + VerbsCluster.PATIENCE.toNanos();
        Connection.TimeLimit limit = new Connection.TimeLimit() {
            @Override
            public int millisLeft() {
                return (int) Math.max(1, (deadline - System.nanoTime()) / 1_000_000);
            }

            @Override
            public void check() throws IOException {
                if (System.nanoTime() - deadline > 0) {
                    throw new IOException("no answer");
                }
            }
        };
        Connection connection = Connection.open(from.domain(), OPTIONS, from.address(), to, place.port(), depth, limit);
        if (!silent.await(VerbsCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("the peer has not noticed that it is connected");
        }
        return connection;
    }

    @Override
    public void close() throws InterruptedException {
        closing = true;
        thread.join();
        RdmaCmId id = accepted;
        if (id != null) {
            Verbs.destroy(id);
        }
        own.close();
    }
}
