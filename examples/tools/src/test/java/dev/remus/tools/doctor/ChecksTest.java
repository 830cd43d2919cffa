// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.FabricException;
import dev.remus.tools.doctor.Diagnosis.Grade;
import dev.remus.tools.litmus.LitmusResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the findings of each check on machines of all kinds. */
@Tag("machine")
class ChecksTest {
    private static final RequestedCluster REQUESTED =
            new RequestedCluster(RequestedCluster.VERBS, List.of(), 33333, 20, 2);

    private static final String PORT = "sys/class/infiniband/rxe0/ports/1/";

    @TempDir
    private Path root;

    private static Diagnosis only(Check check, FakeMachine machine, RequestedCluster requested) {
        List<Diagnosis> findings = check.examine(machine.machine(), requested);
        assertThat(findings).hasSize(1);
        return findings.get(0);
    }

    private static Diagnosis only(Check check, FakeMachine machine) {
        return only(check, machine, REQUESTED);
    }

    private static RequestedCluster hosts(String... names) {
        return new RequestedCluster(RequestedCluster.VERBS, List.of(names), 33333, 20, 2);
    }

    private static RdmaDevicesCheck devices() {
        return new RdmaDevicesCheck(device -> "among themselves");
    }

    @Test
    void withoutADeviceTheRemediesListWaysToGetOne() {
        Diagnosis found = only(devices(), new FakeMachine(root));
        assertThat(found.grade()).isEqualTo(Grade.PROBLEM);
        assertThat(found.remedy()).contains("rdma link add rxe0 type rxe").contains("./remus rxe-vm");
    }

    @Test
    void aUsableDeviceIsShownWithPortAddressGidAndAtomics() {
        Diagnosis found = only(devices(), FakeMachine.withDevice(root));
        assertThat(found.grade()).isEqualTo(Grade.OK);
        assertThat(found.text())
                .contains("rxe0 port 1: ACTIVE, Ethernet, network device eth1, 10.0.2.15")
                .contains("GID fe80:0000:0000:0000:5054:00ff:fe12:3456, 10.0.2.15 (RoCE v2)")
                .contains("atomics: among themselves");
    }

    @Test
    void aPortThatIsDownIsFixedByIpLinkSetUp() {
        Diagnosis found = only(devices(), FakeMachine.withDevice(root).file(PORT + "state", "1: DOWN"));
        assertThat(found.grade()).isEqualTo(Grade.PROBLEM);
        assertThat(found.remedy()).isEqualTo("sudo ip link set eth1 up");
    }

    @Test
    void aPortOfInfiniBandThatIsNotActiveNeedsASubnetManager() {
        FakeMachine machine =
                FakeMachine.withDevice(root).file(PORT + "state", "2: INIT").file(PORT + "link_layer", "InfiniBand");
        assertThat(only(devices(), machine).remedy()).contains("opensm");
    }

    @Test
    void aPortWithoutAnAddressIsFixedByIpAddrAdd() {
        FakeMachine machine = FakeMachine.withDevice(root).file(PORT + "gid_attrs/ndevs/1", "eth2");
        Diagnosis found = only(devices(), machine);
        assertThat(found.grade()).isEqualTo(Grade.PROBLEM);
        assertThat(found.remedy()).isEqualTo("sudo ip addr add ADDRESS/24 dev eth2");
    }

    @Test
    void aDeviceWithoutAtomicsCannotBeUsed() {
        Diagnosis found = only(new RdmaDevicesCheck(device -> ""), FakeMachine.withDevice(root));
        assertThat(found.grade()).isEqualTo(Grade.PROBLEM);
        assertThat(found.text()).contains("no usable atomics");
    }

    @Test
    void oneGoodPortIsEnough() {
        FakeMachine machine = FakeMachine.withDevice(root)
                .file("sys/class/infiniband/mlx5_0/ports/1/state", "1: DOWN")
                .file("sys/class/infiniband/mlx5_0/ports/1/link_layer", "Ethernet");
        assertThat(devices().examine(machine.machine(), REQUESTED))
                .extracting(Diagnosis::grade)
                .containsExactly(Grade.NOTE, Grade.OK);
    }

    @Test
    void missingModulesAreNamedInTheCommandThatLoadsThem() {
        FakeMachine machine =
                new FakeMachine(root).file("sys/module/ib_core/refcnt", "1").file("sys/module/ib_uverbs/refcnt", "1");
        assertThat(only(new KernelModulesCheck(), machine).remedy()).isEqualTo("sudo modprobe -a rdma_cm rdma_ucm");
    }

    @Test
    void modulesWithoutDeviceFilesAreAProblem() {
        FakeMachine machine = new FakeMachine(root);
        for (String module : List.of("ib_core", "ib_uverbs", "rdma_cm", "rdma_ucm")) {
            machine.file("sys/module/" + module + "/refcnt", "1");
        }
        assertThat(only(new KernelModulesCheck(), machine).text()).contains("/dev/infiniband/rdma_cm");
        machine.file("dev/infiniband/rdma_cm", "").file("dev/infiniband/uverbs0", "");
        assertThat(only(new KernelModulesCheck(), machine).grade()).isEqualTo(Grade.OK);
    }

    @Test
    void theLimitOfLockedMemoryIsComparedWithAMemoryNode() {
        FakeMachine machine =
                new FakeMachine(root).file("proc/self/limits", "Max locked memory         65536   65536   bytes");
        Diagnosis found = only(new LockedMemoryCheck(), machine);
        assertThat(found.grade()).isEqualTo(Grade.PROBLEM);
        assertThat(found.text()).contains("64 KiB").contains("2 MiB");
        assertThat(found.remedy()).startsWith("ulimit -l unlimited");
    }

    @Test
    void aUserWithTheCapabilityToLockMemoryIsNotLimited() {
        FakeMachine machine = new FakeMachine(root)
                .file("proc/self/limits", "Max locked memory         65536   65536   bytes")
                .file("proc/self/status", "CapEff:\t000001ffffffffff");
        assertThat(only(new LockedMemoryCheck(), machine).grade()).isEqualTo(Grade.OK);
    }

    @Test
    void anUnlimitedProcessIsFine() {
        FakeMachine machine =
                new FakeMachine(root).file("proc/self/limits", "Max locked memory         unlimited   unlimited bytes");
        assertThat(only(new LockedMemoryCheck(), machine).text()).isEqualTo("unlimited");
    }

    @Test
    void missingHugePagesAreANoteUnlessReservedOrTransparent() {
        FakeMachine machine =
                new FakeMachine(root).file("proc/meminfo", "HugePages_Free:        0\nHugepagesize:       2048 kB");
        Diagnosis missed = only(new HugePagesCheck(), machine);
        assertThat(missed.grade()).isEqualTo(Grade.NOTE);
        assertThat(missed.remedy()).contains("sysctl vm.nr_hugepages=1");
        machine.file("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never");
        assertThat(only(new HugePagesCheck(), machine).text()).contains("transparent");
        machine.file("proc/meminfo", "HugePages_Free:        1\nHugepagesize:       2048 kB");
        assertThat(only(new HugePagesCheck(), machine).text()).contains("reserved");
    }

    @Test
    void theProcessorsNearACardAreNamedInTheCommandThatUsesThem() {
        FakeMachine machine = new FakeMachine(root)
                .file("sys/devices/system/node/node0/cpulist", "0-15")
                .file("sys/devices/system/node/node1/cpulist", "16-31")
                .file("sys/class/infiniband/rxe0/ports/1/state", "4: ACTIVE")
                .file("sys/class/infiniband/mlx5_0/device/numa_node", "1")
                .file("sys/class/infiniband/mlx5_0/device/local_cpulist", "16-31")
                .file("proc/self/status", "Name:\tjava\nCpus_allowed_list:\t0-31");
        Diagnosis found = only(new ProcessorsCheck(), machine);
        assertThat(found.grade()).isEqualTo(Grade.NOTE);
        assertThat(found.text())
                .isEqualTo("mlx5_0 belongs to NUMA node 1, with the processors 16-31; others are slower");
        assertThat(found.remedy()).contains("numactl --cpunodebind=1 --membind=1 ./remus");
        machine.file("proc/self/status", "Name:\tjava\nCpus_allowed_list:\t16-31");
        assertThat(only(new ProcessorsCheck(), machine).grade()).isEqualTo(Grade.OK);
    }

    @Test
    void withOneNumaNodeAllProcessorsAreEqual() {
        FakeMachine machine = new FakeMachine(root).file("sys/devices/system/node/node0/cpulist", "0-1");
        assertThat(only(new ProcessorsCheck(), machine).text()).isEqualTo("all belong to one NUMA node");
    }

    @Test
    void aMemoryNodeHasToFitIntoSharedMemory() throws Exception {
        assertThat(only(new SharedMemoryCheck(), new FakeMachine(root)).grade()).isEqualTo(Grade.PROBLEM);
        Files.createDirectories(root.resolve("dev/shm"));
        assertThat(only(new SharedMemoryCheck(), new FakeMachine(root)).grade()).isEqualTo(Grade.OK);
        RequestedCluster large = new RequestedCluster(RequestedCluster.SHM, List.of(), 33333, 48, 8);
        Diagnosis found = only(new SharedMemoryCheck(), new FakeMachine(root), large);
        assertThat(found.grade()).isEqualTo(Grade.PROBLEM);
        assertThat(found.remedy()).startsWith("sudo mount -o remount,size=");
    }

    @Test
    void anUnknownHostIsFixedInEtcHosts() {
        Diagnosis found = only(new HostsCheck(), FakeMachine.withDevice(root), hosts("node1"));
        assertThat(found.grade()).isEqualTo(Grade.PROBLEM);
        assertThat(found.remedy()).contains("node1' | sudo tee -a /etc/hosts");
    }

    @Test
    void aHostKnownOnlyInTheControlNetworkIsAProblem() {
        FakeMachine machine = FakeMachine.withDevice(root).host("node1", "192.168.1.8");
        Diagnosis found = only(new HostsCheck(), machine, hosts("node1"));
        assertThat(found.grade()).isEqualTo(Grade.PROBLEM);
        assertThat(found.text()).contains("192.168.1.8").contains("10.0.2.15/24 on eth1");
    }

    @Test
    void aHostInTheNetworkOfAnRdmaPortIsTried() {
        FakeMachine machine = FakeMachine.withDevice(root).host("node1", "192.168.1.8", "10.0.2.16");
        assertThat(only(new HostsCheck(), machine, hosts("node1", "node1")).text())
                .isEqualTo("node1 (10.0.2.16) answers");
        machine.silent("10.0.2.16");
        assertThat(only(new HostsCheck(), machine, hosts("node1")).grade()).isEqualTo(Grade.PROBLEM);
    }

    @Test
    void aHostIsTriedByTheAddressOfTheFamilyThatAnRdmaPortHas() {
        FakeMachine machine = FakeMachine.withDevice(root)
                .address("eth1", "fd00::7", 64)
                .host("node1", "192.168.1.8", "fd00:0:0:1::9", "fd00::9");
        assertThat(only(new HostsCheck(), machine, hosts("node1")).text())
                .isEqualTo("node1 (fd00:0:0:0:0:0:0:9) answers");
    }

    private static LitmusCheck litmus(LitmusResult result) {
        return new LitmusCheck(requested -> result);
    }

    @Test
    void aTornWordIsAProblemButATornRecordOrALostWriteIsNot() {
        assertThat(litmus(new LitmusResult(1_000_000, 0, 5_000, 12, 40_000, 3))
                        .examine(FakeMachine.withDevice(root).machine(), REQUESTED))
                .allMatch(finding -> finding.grade() == Grade.OK)
                .extracting(Diagnosis::text)
                .satisfiesExactly(
                        words -> assertThat(words).startsWith("0 of 1,000,000 words of 8 bytes were torn"),
                        records -> assertThat(records).startsWith("12 of 5,000 records of 16 KiB were torn"),
                        lost -> assertThat(lost).startsWith("3 of 40,000 WRITEs were lost to a CAS that failed"));
        assertThat(litmus(new LitmusResult(1_000_000, 1, 5_000, 12, 40_000, 3))
                        .examine(FakeMachine.withDevice(root).machine(), REQUESTED)
                        .get(0))
                .satisfies(words -> {
                    assertThat(words.grade()).isEqualTo(Grade.PROBLEM);
                    assertThat(words.remedy()).contains("erms");
                });
    }

    @Test
    void withoutADeviceNothingIsMeasured() {
        LitmusCheck check = new LitmusCheck(requested -> {
            throw new AssertionError("measured");
        });
        Diagnosis found = only(check, new FakeMachine(root));
        assertThat(found.text()).isEqualTo("not measured, as there is no RDMA device");
    }

    @Test
    void aDeviceThatCannotBeMeasuredIsAProblemWithItsReason() {
        LitmusCheck check = new LitmusCheck(requested -> {
            throw new FabricException("port 18515 is taken");
        });
        Diagnosis found = only(check, FakeMachine.withDevice(root));
        assertThat(found.grade()).isEqualTo(Grade.PROBLEM);
        assertThat(found.text()).contains("port 18515 is taken");
    }
}
