// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.doctor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A machine made of files in a folder. */
final class FakeMachine implements Network {
    private final Path root;
    private final List<Local> addresses = new ArrayList<>();
    private final Map<String, List<InetAddress>> hosts = new HashMap<>();
    private final List<InetAddress> silent = new ArrayList<>();

    FakeMachine(Path root) {
        this.root = root;
    }

    /** A machine with a usable device in software. */
    static FakeMachine withDevice(Path root) {
        String port = "sys/class/infiniband/rxe0/ports/1/";
        return new FakeMachine(root)
                .file(port + "state", "4: ACTIVE")
                .file(port + "link_layer", "Ethernet")
                .file(port + "gids/0", "fe80:0000:0000:0000:5054:00ff:fe12:3456")
                .file(port + "gids/1", "0000:0000:0000:0000:0000:ffff:0a00:020f")
                .file(port + "gids/2", "0000:0000:0000:0000:0000:0000:0000:0000")
                .file(port + "gid_attrs/types/1", "RoCE v2")
                .file(port + "gid_attrs/ndevs/1", "eth1")
                .address("eth1", "10.0.2.15", 24)
                .address("eth0", "192.168.1.7", 24);
    }

    FakeMachine file(String name, String text) {
        try {
            Files.createDirectories(root.resolve(name).getParent());
            Files.writeString(root.resolve(name), text + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    FakeMachine address(String device, String address, int prefix) {
        addresses.add(new Local(device, ip(address), prefix));
        return this;
    }

    FakeMachine host(String name, String... known) {
        hosts.put(name, List.of(known).stream().map(FakeMachine::ip).toList());
        return this;
    }

    FakeMachine silent(String address) {
        silent.add(ip(address));
        return this;
    }

    ExaminedMachine machine() {
        return new ExaminedMachine(root, this);
    }

    @Override
    public List<Local> addresses() {
        return addresses;
    }

    @Override
    public List<InetAddress> resolve(String host) {
        return hosts.getOrDefault(host, List.of());
    }

    @Override
    public boolean answers(InetAddress address, int port) {
        return !silent.contains(address);
    }

    private static InetAddress ip(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
