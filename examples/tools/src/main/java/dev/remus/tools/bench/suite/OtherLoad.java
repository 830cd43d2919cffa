// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.suite;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The processor time that other processes, and other virtual machines, take from a measurement: it decides whether a
 * verdict on times means anything. Known on Linux only. Its clocks advance in steps of 10 ms, so a measurement must
 * last for a second or more.
 */
public final class OtherLoad {
    /** The verdict on a time that was measured on a busy machine. */
    public static final String TOO_BUSY = "too busy to judge";

    /** Others may take this share of all processors. */
    private static final double TOLERATED = 0.1;

    private static final String SHM = "shm";
    private static final Path PROC_STAT = Path.of("/proc/stat");
    private static final Path SELF_STAT = Path.of("/proc/self/stat");
    private static final double NANOS_PER_TICK = 1e7;

    /** In the kernel's line: user, nice, system, idle, waiting for disks, interrupts (two), used by other machines. */
    private static final int COLUMNS = 8;

    /** In the kernel's line about a process, counted from behind its name. */
    private static final int CHILDREN_USER = 13;

    private static final int CHILDREN_SYSTEM = 14;

    private static final int IDLE = 3;
    private static final int WAITING = 4;
    private static final int INTERRUPTS = 5;
    private static final int SOFT_INTERRUPTS = 6;

    /** The parent of all threads of the kernel. */
    private static final long KTHREADD = 2;

    private final Supplier<Stream<ProcessHandle>> others;
    private final boolean isKernelOurs;

    /** The processes whose children, those that have ended too, take part in the measurement. */
    private final List<Path> parents;

    private final double[] begin;
    private double @Nullable [] end;

    /**
     * @param others the processes that take part in the measurement besides this one
     * @param isKernelOurs whether interrupts belong to the measurement
     * @param parents the kernel's lines about the processes whose children take part, those that have ended too
     */
    private OtherLoad(Supplier<Stream<ProcessHandle>> others, boolean isKernelOurs, List<Path> parents) {
        this.others = others;
        this.isKernelOurs = isKernelOurs;
        this.parents = parents;
        this.begin = now();
    }

    /** Begins to observe the machine, for a measurement in this process, its children and theirs. */
    public static OtherLoad begin() {
        return new OtherLoad(ProcessHandle.current()::descendants, false, List.of(SELF_STAT));
    }

    /**
     * The same for a measurement over RDMA. The kernel's threads and interrupts belong to it: they do the work of a
     * device in software.
     */
    public static OtherLoad beginWithKernel() {
        return new OtherLoad(
                () -> Stream.concat(ProcessHandle.current().children(), threadsOfKernel()), true, List.of(SELF_STAT));
    }

    /**
     * Begins to observe the machine, for a measurement in the parent of this process and in all that it has started,
     * and over RDMA {@linkplain #beginWithKernel in the kernel}.
     *
     * @param fabric the fabric's name
     */
    public static OtherLoad beginAmongSiblings(String fabric) {
        boolean isOverRdma = !fabric.equals(SHM);
        Optional<ProcessHandle> parent = ProcessHandle.current().parent();
        Supplier<Stream<ProcessHandle>> family = () -> parent.stream()
                .flatMap(process -> Stream.concat(Stream.of(process), process.children()))
                .filter(process -> process.pid() != ProcessHandle.current().pid());
        return new OtherLoad(
                () -> isOverRdma ? Stream.concat(family.get(), threadsOfKernel()) : family.get(),
                isOverRdma,
                Stream.concat(
                                Stream.of(SELF_STAT),
                                parent.stream().map(process -> Path.of("/proc/" + process.pid() + "/stat")))
                        .toList());
    }

    private static Stream<ProcessHandle> threadsOfKernel() {
        return ProcessHandle.of(KTHREADD).stream().flatMap(ProcessHandle::children);
    }

    /** All processors' time, the part of it that was used, and the part that the measurement has used, in ticks. */
    private double[] now() {
        try {
            List<String> lines = Files.readAllLines(PROC_STAT);
            long own = ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                    .getProcessCpuTime();
            long ofOthers = others.get()
                    .flatMap(process -> process.info().totalCpuDuration().stream())
                    .mapToLong(Duration::toNanos)
                    .sum();
            double ofEnded = 0;
            for (Path parent : parents) {
                ofEnded += ofEndedChildren(Files.readString(parent));
            }
            return ticks(lines.get(0), (own + ofOthers) / NANOS_PER_TICK + ofEnded, isKernelOurs);
        } catch (IOException e) {
            return new double[3]; // not Linux
        }
    }

    /** From the kernel's line about a process, the time of its children that have ended, in ticks. */
    static double ofEndedChildren(String line) {
        String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
        return Double.parseDouble(fields[CHILDREN_USER]) + Double.parseDouble(fields[CHILDREN_SYSTEM]);
    }

    static double[] ticks(String line, double own, boolean isKernelOurs) {
        double[] ticks = Arrays.stream(line.split(" +"))
                .skip(1)
                .limit(COLUMNS)
                .mapToDouble(Double::parseDouble)
                .toArray();
        double all = Arrays.stream(ticks).sum();
        double ofInterrupts = isKernelOurs ? ticks[INTERRUPTS] + ticks[SOFT_INTERRUPTS] : 0;
        return new double[] {all, all - ticks[IDLE] - ticks[WAITING], own + ofInterrupts};
    }

    /** Ends the observation; to be called before the children of a measurement end. */
    public void end() {
        end = now();
    }

    /** The share of all processors that others have used until the {@link #end}, or now; 0 if that is unknown. */
    public double share() {
        double[] until = end;
        return share(begin, until == null ? now() : until);
    }

    static double share(double[] begin, double[] end) {
        double all = end[0] - begin[0];
        double used = end[1] - begin[1];
        double own = end[2] - begin[2];
        return all > 0 ? Math.max(0, used - own) / all : 0;
    }

    /** Whether others use so much that times mean little. */
    public static boolean isTooBusy(double share) {
        return share > TOLERATED;
    }

    /** The verdict on a target that was met or missed while others used a share of the processors. */
    public static String verdict(boolean isMet, double share) {
        if (isTooBusy(share)) {
            return TOO_BUSY;
        }
        return isMet ? "ok" : "MISS";
    }

    /** A line for a report. */
    public static String describe(double share) {
        return String.format(Locale.ROOT, "other processes used %.0f %% of the processors", 100 * share);
    }
}
