// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.doctor;

import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.util.List;

/** The network of a machine, as far as files do not describe it. */
interface Network {
    /**
     * An address of this machine.
     *
     * @param device the network device
     * @param prefix the number of bits of the network prefix
     */
    record Local(String device, InetAddress address, int prefix) {
        /** Whether another address is in the same network, and of the same family. */
        boolean reaches(InetAddress other) {
            return address.getClass() == other.getClass() && network(address).equals(network(other));
        }

        private BigInteger network(InetAddress of) {
            byte[] bytes = of.getAddress();
            return new BigInteger(1, bytes).shiftRight(8 * bytes.length - prefix);
        }

        @Override
        public String toString() {
            return text(address) + "/" + prefix + " on " + device;
        }
    }

    /** An address. Java appends the interface, which only a link-local one needs. */
    static String text(InetAddress address) {
        String text = address.getHostAddress();
        return address.isLinkLocalAddress() ? text : text.replaceFirst("%.*", "");
    }

    /** The addresses of this machine that are not link-local. */
    List<Local> addresses() throws IOException;

    /** The addresses of a host; empty if it is unknown. */
    List<InetAddress> resolve(String host);

    /** Whether the host at an address answers, even by a refusal. */
    boolean answers(InetAddress address, int port);
}
