// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.doctor;

import java.util.ArrayList;
import java.util.List;

/**
 * A port of an RDMA device, as the kernel describes it in sysfs.
 *
 * @param device the name of the device, such as {@code mlx5_0}
 * @param number the number of the port, from 1
 * @param state the state, such as {@code ACTIVE}
 * @param linkLayer {@code Ethernet} or {@code InfiniBand}
 * @param interfaces its network devices
 * @param gids its GIDs that are in use
 */
record SysfsRdmaPort(
        String device, String number, String state, String linkLayer, List<String> interfaces, List<String> gids) {
    /** The folder of the RDMA devices. */
    static final String DEVICES = "sys/class/infiniband";

    private static final String UNUSED = "0000:0000:0000:0000:0000:0000:0000:0000";

    static List<SysfsRdmaPort> all(ExaminedMachine machine) {
        List<SysfsRdmaPort> ports = new ArrayList<>();
        for (String device : machine.list(DEVICES)) {
            for (String port : machine.list(DEVICES + "/" + device + "/ports")) {
                ports.add(read(machine, device, port));
            }
        }
        return ports;
    }

    private static SysfsRdmaPort read(ExaminedMachine machine, String device, String number) {
        String folder = DEVICES + "/" + device + "/ports/" + number + "/";
        List<String> interfaces = new ArrayList<>(machine.list(DEVICES + "/" + device + "/device/net"));
        List<String> gids = new ArrayList<>();
        for (String index : machine.list(folder + "gids")) {
            String gid = machine.read(folder + "gids/" + index).orElse(UNUSED);
            if (!gid.equals(UNUSED)) {
                String type = machine.read(folder + "gid_attrs/types/" + index).orElse("");
                gids.add(readable(gid) + (type.isEmpty() ? "" : " (" + type + ")"));
                machine.read(folder + "gid_attrs/ndevs/" + index)
                        .filter(name -> !interfaces.contains(name))
                        .ifPresent(interfaces::add);
            }
        }
        return new SysfsRdmaPort(
                device,
                number,
                machine.read(folder + "state").orElse("unknown").replaceFirst("^\\d+: ", ""),
                machine.read(folder + "link_layer").orElse("unknown link layer"),
                interfaces,
                gids);
    }

    /** The IPv4 address of a GID of RoCE version 2, which is in its last two groups; other GIDs unchanged. */
    private static String readable(String gid) {
        if (!gid.startsWith("0000:0000:0000:0000:0000:ffff:")) {
            return gid;
        }
        int high = Integer.parseInt(gid.substring(30, 34), 16);
        int low = Integer.parseInt(gid.substring(35, 39), 16);
        return (high >> 8) + "." + (high & 0xff) + "." + (low >> 8) + "." + (low & 0xff);
    }

    boolean isActive() {
        return state.equals("ACTIVE");
    }

    @Override
    public String toString() {
        return device + " port " + number;
    }
}
