package dev.remus.tools.doctor;

import java.io.IOException;
import java.net.Inet4Address;
import java.util.List;

/** The network of a machine, as far as files do not describe it. */
interface Network {
    /**
     * An address of this machine.
     *
     * @param device the network device
     * @param prefix the number of bits of the network prefix
     */
    record Local(String device, Inet4Address address, int prefix) {
        boolean reaches(Inet4Address other) {
            int mask = prefix == 0 ? 0 : -1 << (32 - prefix);
            return (bits(address) & mask) == (bits(other) & mask);
        }

        private static int bits(Inet4Address address) {
            return java.nio.ByteBuffer.wrap(address.getAddress()).getInt();
        }

        @Override
        public String toString() {
            return address.getHostAddress() + "/" + prefix + " on " + device;
        }
    }

    /** The IPv4 addresses of this machine. */
    List<Local> addresses() throws IOException;

    /** The IPv4 addresses of a host; empty if it has none or is unknown. */
    List<Inet4Address> resolve(String host);

    /** Whether the host at an address answers, even by a refusal. */
    boolean answers(Inet4Address address, int port);
}
