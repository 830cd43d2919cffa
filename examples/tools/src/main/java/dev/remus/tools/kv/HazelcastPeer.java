// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

import dev.remus.structures.Encoding;
import dev.remus.tools.peer.PeerServer;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A Hazelcast member of its own on this machine, reached through the loopback address by one client, which all threads
 * share. It looks for no other members, and reports nothing to anyone. Values of 8 bytes are numbers, others bytes.
 *
 * <p>Hazelcast is on no class path of this project: its JAR is loaded if it is in the local Maven repository, where
 * {@code examples/peers/install-hazelcast} puts it. A map of Hazelcast is a {@link ConcurrentMap}.
 */
final class HazelcastPeer implements KvPeer {
    static final String VERSION = "5.7.0";
    private static final long START_MILLIS = 60_000;

    /** How many keys a call sets that loads them. */
    private static final int LOADED_AT_ONCE = 10_000;

    private static final Pattern STARTED = Pattern.compile("\\[127\\.0\\.0\\.1]:(\\d+) is STARTED");

    private static final String MEMBER = """
        <hazelcast xmlns="http://www.hazelcast.com/schema/config">
          <cluster-name>%s</cluster-name>
          <properties>
            <property name="hazelcast.phone.home.enabled">false</property>
            <property name="hazelcast.socket.bind.any">false</property>
          </properties>
          <network>
            <port auto-increment="true" port-count="1000">5701</port>
            <join>
              <auto-detection enabled="false"/>
              <multicast enabled="false"/>
              <tcp-ip enabled="false"/>
            </join>
            <interfaces enabled="true"><interface>127.0.0.1</interface></interfaces>
          </network>
          <map name="default"><backup-count>0</backup-count></map>
        </hazelcast>
        """;

    private static final String CLIENT = """
        <hazelcast-client xmlns="http://www.hazelcast.com/schema/client-config">
          <cluster-name>%s</cluster-name>
          <properties>
            <property name="hazelcast.logging.type">none</property>
            <property name="hazelcast.client.statistics.enabled">false</property>
          </properties>
          <network>
            <cluster-members><address>127.0.0.1:%s</address></cluster-members>
          </network>
        </hazelcast-client>
        """;

    private final PeerServer member;
    private final URLClassLoader loader;
    private final Object client;
    private final ConcurrentMap<Long, Object> map;
    private final int valueBytes;
    private final Encoding<Long> values;

    private HazelcastPeer(PeerServer member, URLClassLoader loader, int valueBytes)
            throws ReflectiveOperationException {
        this.member = member;
        this.loader = loader;
        this.valueBytes = valueBytes;
        this.values = KvEncoding.of(valueBytes);
        String config = CLIENT.formatted(clusterName(member.folder()), port(member.folder()));
        this.client = connect(config, loader);
        this.map = openMap(client, loader);
    }

    private static Path jar() {
        return Path.of(
                System.getProperty("user.home"),
                ".m2/repository/com/hazelcast/hazelcast/" + VERSION + "/hazelcast-" + VERSION + ".jar");
    }

    /** Whether its JAR is in the local Maven repository. */
    static boolean isInstalled() {
        return Files.isReadable(jar());
    }

    /** Starts a member and a client. */
    static HazelcastPeer start(int valueBytes) throws IOException, InterruptedException {
        Path folder = PeerServer.createFolder("hazelcast");
        Path config = Files.writeString(folder.resolve("hazelcast.xml"), MEMBER.formatted(clusterName(folder)));
        List<String> command = List.of(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-Dhazelcast.config=" + config,
                "-cp",
                jar().toString(),
                "com.hazelcast.core.server.HazelcastMemberStarter");
        PeerServer member = PeerServer.start(
                "Hazelcast", folder, command, () -> !port(folder).isEmpty(), START_MILLIS);
        URLClassLoader loader =
                new URLClassLoader(new URL[] {jar().toUri().toURL()}, ClassLoader.getPlatformClassLoader());
        try {
            return new HazelcastPeer(member, loader, valueBytes);
        } catch (ReflectiveOperationException e) {
            loader.close();
            member.close();
            throw new IOException("no client of Hazelcast: " + e, e);
        }
    }

    private static String clusterName(Path folder) {
        return folder.getFileName().toString(); // so that no other cluster on this machine is meant
    }

    /** The port at which a member listens, as it printed it; empty if it has not started. */
    private static String port(Path folder) {
        try {
            Matcher started = STARTED.matcher(Files.readString(PeerServer.log(folder)));
            return started.find() ? started.group(1) : "";
        } catch (IOException e) {
            return "";
        }
    }

    /** {@code HazelcastClient.newHazelcastClient(new XmlClientConfigBuilder(config).build())}. */
    private static Object connect(String config, ClassLoader loader) throws ReflectiveOperationException {
        Class<?> builder = loader.loadClass("com.hazelcast.client.config.XmlClientConfigBuilder");
        Class<?> clients = loader.loadClass("com.hazelcast.client.HazelcastClient");
        InputStream xml = new ByteArrayInputStream(config.getBytes(StandardCharsets.UTF_8));
        Object built = builder.getMethod("build")
                .invoke(builder.getConstructor(InputStream.class).newInstance(xml));
        return clients.getMethod("newHazelcastClient", built.getClass()).invoke(null, built);
    }

    @SuppressWarnings("unchecked")
    private static ConcurrentMap<Long, Object> openMap(Object client, ClassLoader loader)
            throws ReflectiveOperationException {
        Class<?> instance = loader.loadClass("com.hazelcast.core.HazelcastInstance");
        return (ConcurrentMap<Long, Object>)
                instance.getMethod("getMap", String.class).invoke(client, "kv");
    }

    /** The folder of the member. */
    Path folder() {
        return member.folder();
    }

    @Override
    public KvStore connect() {
        return new Store();
    }

    @Override
    public KvFound count() {
        long sum = 0;
        for (Object value : map.values()) {
            sum += decoded(value);
        }
        return new KvFound(map.size(), sum);
    }

    private Object encoded(long value) {
        if (valueBytes == Long.BYTES) {
            return value;
        }
        ByteBuffer buffer = ByteBuffer.allocate(valueBytes);
        values.encode(value, buffer);
        return buffer.array();
    }

    private long decoded(@Nullable Object value) {
        if (value instanceof byte[] bytes) {
            return values.decode(ByteBuffer.wrap(bytes));
        }
        return value instanceof Long number ? number : KvStore.MISSING;
    }

    @Override
    public void close() throws IOException {
        try {
            loader.loadClass("com.hazelcast.core.HazelcastInstance")
                    .getMethod("shutdown")
                    .invoke(client);
        } catch (ReflectiveOperationException e) {
            throw new IOException("the client of Hazelcast does not end: " + e, e);
        } finally {
            loader.close();
            member.close();
        }
    }

    /** The map as one thread uses it. */
    private final class Store implements KvStore {
        @Override
        public long get(long key) {
            return decoded(map.get(key));
        }

        @Override
        public long put(long key, long value) {
            return decoded(map.put(key, encoded(value)));
        }

        @Override
        public boolean replace(long key, long expected, long value) {
            return map.replace(key, encoded(expected), encoded(value));
        }

        @Override
        public long remove(long key) {
            return decoded(map.remove(key));
        }

        @Override
        public boolean load(long[] keys, LongUnaryOperator value) {
            for (int from = 0; from < keys.length; from += LOADED_AT_ONCE) {
                Map<Long, Object> part = new HashMap<>();
                for (int i = from; i < Math.min(keys.length, from + LOADED_AT_ONCE); i++) {
                    part.put(keys[i], encoded(value.applyAsLong(keys[i])));
                }
                map.putAll(part);
            }
            return true;
        }
    }
}
