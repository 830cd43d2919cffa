// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.doctor;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The network of this machine. */
final class RealNetwork implements Network {
    private static final int TIMEOUT_MILLIS = 2_000;

    @Override
    public List<Local> addresses() throws IOException {
        List<Local> found = new ArrayList<>();
        for (NetworkInterface device : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            for (InterfaceAddress address : device.getInterfaceAddresses()) {
                if (!address.getAddress().isLinkLocalAddress()) {
                    found.add(new Local(device.getName(), address.getAddress(), address.getNetworkPrefixLength()));
                }
            }
        }
        return found;
    }

    @Override
    public List<InetAddress> resolve(String host) {
        try {
            return List.of(InetAddress.getAllByName(host));
        } catch (UnknownHostException e) {
            return List.of();
        }
    }

    /** Tries TCP, since RDMA ports answer only to RDMA. A host that refuses the connection is reachable, too. */
    @Override
    public boolean answers(InetAddress address, int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, port), TIMEOUT_MILLIS);
            return true;
        } catch (NoRouteToHostException e) {
            return false;
        } catch (ConnectException e) {
            return String.valueOf(e.getMessage()).contains("refused");
        } catch (IOException e) {
            return false;
        }
    }
}
