// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import dev.remus.record.Atomic;
import dev.remus.record.Codec;
import dev.remus.record.Codecs;
import dev.remus.record.RemoteRecord;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import net.openhft.chronicle.bytes.BytesIn;
import net.openhft.chronicle.bytes.BytesMarshallable;
import net.openhft.chronicle.bytes.BytesOut;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Stores and loads an object of five numbers, 32 bytes, as a field of a record: by a codec written for it ({@code
 * reference...}), and by Chronicle Bytes ({@code thread...}).
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // JMH calls start() first
public class ObjectBenchmark {
    private static final int BYTES = 32;

    /** An object that marshals itself. */
    private static final class Order implements BytesMarshallable {
        private long id;
        private long account;
        private double price;
        private int count;
        private int flags;

        @Override
        @SuppressWarnings("rawtypes") // as Chronicle declares it
        public void readMarshallable(BytesIn bytes) {
            id = bytes.readLong();
            account = bytes.readLong();
            price = bytes.readDouble();
            count = bytes.readInt();
            flags = bytes.readInt();
        }

        @Override
        @SuppressWarnings("rawtypes") // as Chronicle declares it
        public void writeMarshallable(BytesOut bytes) {
            bytes.writeLong(id);
            bytes.writeLong(account);
            bytes.writeDouble(price);
            bytes.writeInt(count);
            bytes.writeInt(flags);
        }
    }

    private static final class OrderCodec implements Codec<Order> {
        @Override
        public int bytes() {
            return BYTES;
        }

        @Override
        public void encode(Order order, ByteBuffer to) {
            to.putLong(order.id).putLong(order.account).putDouble(order.price);
            to.putInt(order.count).putInt(order.flags);
        }

        @Override
        public Order decode(ByteBuffer from) {
            Order order = new Order();
            order.id = from.getLong();
            order.account = from.getLong();
            order.price = from.getDouble();
            order.count = from.getInt();
            order.flags = from.getInt();
            return order;
        }
    }

    private static final class Holder extends RemoteRecord {
        private final Atomic<Order> written = field(new OrderCodec());
        private final Atomic<Order> marshalled = field(Codecs.marshallable(Order::new));
    }

    private final Holder holder = new Holder();
    private final Order order = new Order();
    private OneProcess cluster;

    /** Starts a cluster. */
    @Setup
    public void start() {
        cluster = new OneProcess();
        holder.allocate(cluster.ct());
        order.id = 1;
        order.price = 2.5;
        holder.written.stage(order, cluster.ct());
        holder.marshalled.stage(order, cluster.ct());
        holder.storeStaged(cluster.ct());
    }

    /** Stops the cluster. */
    @TearDown
    public void stop() {
        cluster.close();
    }

    @Benchmark
    public void referenceStage() {
        order.count++;
        holder.written.stage(order, cluster.ct());
    }

    @Benchmark
    public void threadStage() {
        order.count++;
        holder.marshalled.stage(order, cluster.ct());
    }

    @Benchmark
    public Object referenceFetched() {
        return holder.written.fetched();
    }

    @Benchmark
    public Object threadFetched() {
        return holder.marshalled.fetched();
    }

    @Benchmark
    public void referenceStore() {
        order.count++;
        holder.written.store(order, cluster.ct());
    }

    @Benchmark
    public void threadStore() {
        order.count++;
        holder.marshalled.store(order, cluster.ct());
    }

    @Benchmark
    public Object referenceLoad() {
        return holder.written.load(cluster.ct());
    }

    @Benchmark
    public Object threadLoad() {
        return holder.marshalled.load(cluster.ct());
    }
}
