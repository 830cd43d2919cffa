// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.peer;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A Redis server of its own on this machine, without persistence, reached through a socket in a folder of its own. */
public final class RedisServer implements AutoCloseable {
    /** What to do where it is not installed. */
    public static final String NEEDS =
            "the program redis-server: run examples/peers/install-redis, or apt-get install redis-server";

    private static final long START_MILLIS = 10_000;

    private final PeerServer server;
    private final List<SocketChannel> channels = new ArrayList<>();

    private RedisServer(PeerServer server) {
        this.server = server;
    }

    /** Whether the server is on the path. */
    public static boolean isInstalled() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                .anyMatch(place -> !place.isEmpty() && Files.isExecutable(Path.of(place, "redis-server")));
    }

    /** Starts a server. */
    public static RedisServer start() throws IOException, InterruptedException {
        Path folder = PeerServer.createFolder("redis");
        List<String> command = List.of(
                "redis-server",
                "--port",
                "0",
                "--unixsocket",
                socket(folder).toString(),
                "--dir",
                folder.toString(),
                "--save",
                "",
                "--appendonly",
                "no");
        return new RedisServer(
                PeerServer.start("redis-server", folder, command, () -> Files.exists(socket(folder)), START_MILLIS));
    }

    private static Path socket(Path folder) {
        return folder.resolve("socket");
    }

    /** The folder of the server. */
    public Path folder() {
        return server.folder();
    }

    /** Opens a connection, for one thread, which ends with the server. */
    public synchronized RedisConnection open() throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channels.add(channel);
        channel.connect(UnixDomainSocketAddress.of(socket(server.folder())));
        return new RedisConnection(Channels.newInputStream(channel), Channels.newOutputStream(channel));
    }

    @Override
    public synchronized void close() throws IOException {
        for (SocketChannel channel : channels) {
            channel.close();
        }
        server.close();
    }
}
