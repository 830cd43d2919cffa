// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A port of an RDMA device of this machine, as the kernel lists it.
 *
 * @param device its name, such as {@code mlx5_0}
 * @param number from 1
 * @param addresses the addresses of its network interfaces, those of VLANs and bonds included, the first interface
 *     first, and those of IPv4 before those of IPv6, of which link-local ones are left out; none if it has no such
 *     interface
 */
record RdmaPort(String device, String number, List<String> addresses) {
    /** The kernel's list of RDMA devices. */
    static final Path DEVICES = Path.of("/sys/class/infiniband");

    /** A table of GIDs has hundreds of entries, and those in use lie together: so many unused ones show its end. */
    private static final int MAX_UNUSED = 16;

    /** All RDMA ports of this machine. */
    static List<RdmaPort> all() {
        return all(DEVICES);
    }

    /** All RDMA ports of the devices in such a list. */
    static List<RdmaPort> all(Path devices) {
        List<RdmaPort> found = new ArrayList<>();
        try {
            for (Path device : list(devices)) {
                for (Path port : list(device.resolve("ports"))) {
                    found.add(new RdmaPort(
                            device.getFileName().toString(), port.getFileName().toString(), addresses(port)));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list the RDMA devices of this machine", e);
        }
        found.sort(Comparator.comparing(RdmaPort::device).thenComparing(RdmaPort::number));
        return found;
    }

    /** Whether its network is an Ethernet, so that its GIDs are addresses. */
    boolean isEthernet(Path devices) {
        try {
            return Files.readString(folder(devices).resolve("link_layer"))
                    .strip()
                    .equals("Ethernet");
        } catch (IOException e) {
            return false;
        }
    }

    /** An entry of its table of GIDs, as an address; empty for an unused one. */
    Optional<InetAddress> gid(Path devices, int index) {
        try {
            String text =
                    Files.readString(folder(devices).resolve("gids/" + index)).strip();
            InetAddress address = InetAddress.getByName(text); // of IPv4 if it is one in the form of IPv6
            return address.isAnyLocalAddress() ? Optional.empty() : Optional.of(address);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private Path folder(Path devices) {
        return devices.resolve(device).resolve("ports").resolve(number);
    }

    private static List<Path> list(Path folder) throws IOException {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> there = Files.newDirectoryStream(folder)) {
            there.forEach(entries::add);
        } catch (NoSuchFileException e) {
            // There are none.
        }
        return entries;
    }

    private static List<String> addresses(Path port) throws IOException {
        Set<String> four = new LinkedHashSet<>();
        Set<String> six = new LinkedHashSet<>();
        Path entries = port.resolve("gid_attrs/ndevs");
        int unused = 0;
        for (int i = 0; unused <= MAX_UNUSED; i++) {
            NetworkInterface network = networkInterface(entries.resolve(Integer.toString(i)));
            unused = network == null ? unused + 1 : 0;
            if (network != null) {
                for (InterfaceAddress address : network.getInterfaceAddresses()) {
                    InetAddress ip = address.getAddress();
                    if (ip instanceof Inet4Address) {
                        four.add(ip.getHostAddress());
                    } else if (!ip.isLinkLocalAddress()) {
                        six.add(withoutScope(ip));
                    }
                }
            }
        }
        four.addAll(six);
        return List.copyOf(four);
    }

    /** An address that is not link-local, without the interface that Java appends. */
    private static String withoutScope(InetAddress ip) {
        return ip.getHostAddress().replaceFirst("%.*", "");
    }

    private static @Nullable NetworkInterface networkInterface(Path name) throws IOException {
        try {
            return NetworkInterface.getByName(Files.readString(name).strip());
        } catch (IOException e) {
            return null; // the kernel reports an error for an unused entry
        }
    }
}
