// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.mutants;

import dev.remus.lock.RemoteLock;
import dev.remus.node.ComputeThread;
import dev.remus.record.RecordCache;
import dev.remus.structures.LazyListSet;
import dev.remus.structures.baseline.CentralizedLockQueue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The classes to mutate: all structures, baselines and locks, including future ones; the node classes that access
 * shared remote memory; those that reclaim it; those that track asynchronous operations; and the layers between these
 * and the fabric: sequences, lanes, the cache and versioned records.
 */
final class ClassesUnderTest {
    private static final Set<String> OF_NODES = Set.of(
            "dev.remus.node.Allocator",
            "dev.remus.node.Arena",
            "dev.remus.node.AsyncEngine",
            "dev.remus.node.AsyncOperations",
            "dev.remus.node.BarrierTable",
            "dev.remus.node.BlockShadow",
            "dev.remus.node.BlockStates",
            "dev.remus.node.CompletionBarrier",
            "dev.remus.node.ComputeThread",
            "dev.remus.node.ControlBarrier",
            "dev.remus.node.Destination",
            "dev.remus.node.FenceRequest",
            "dev.remus.node.RemoteFuture",
            "dev.remus.node.Reserve",
            "dev.remus.node.Root",
            "dev.remus.node.Roots",
            "dev.remus.node.SharedFreeLists",
            "dev.remus.node.Sleeper",
            "dev.remus.node.SortedChain",
            "dev.remus.node.StampedArray",
            "dev.remus.node.SurplusBlocks",
            "dev.remus.node.ThreadBackoff",
            "dev.remus.node.ThreadBlocks",
            "dev.remus.node.ThreadParts");

    private static final Set<String> LAYERS = Set.of(
            "dev.remus.node.Attendance",
            "dev.remus.node.AwaitedCompletions",
            "dev.remus.node.Barriers",
            "dev.remus.node.EpochReclaimer",
            "dev.remus.node.EpochTable",
            "dev.remus.node.Fence",
            "dev.remus.node.LaneSequence",
            "dev.remus.node.LivingBarrier",
            "dev.remus.node.LostComputeNodes",
            "dev.remus.node.Placement",
            "dev.remus.node.PostedReleases",
            "dev.remus.node.RetiredBlocks",
            "dev.remus.node.RetiredPool",
            "dev.remus.node.Sequence",
            "dev.remus.node.SharedLane",
            "dev.remus.node.UnplacedLanes",
            "dev.remus.node.UnreportedCompletions",
            "dev.remus.record.RecordCache",
            "dev.remus.record.VersionedRecord");

    /** Excluded, because it deliberately reproduces the mistakes of its source. */
    private static final String WITH_MISTAKES = "dev.remus.structures.baseline.PublishedLockFreeQueue";

    /** Excluded, because it only describes a lock, as methods that are not mutated do. */
    private static final String DESCRIPTION = "dev.remus.lock.QueueLockState";

    private ClassesUnderTest() {}

    /** Whether a class is mutated. */
    static boolean contain(String name) {
        return area(name).isPresent();
    }

    /** The area of a class that is mutated. */
    static Optional<Area> area(String name) {
        int dot = name.lastIndexOf('.');
        String packageName = dot < 0 ? "" : name.substring(0, dot);
        if (LAYERS.contains(name)) {
            return Optional.of(Area.LAYERS);
        } else if (OF_NODES.contains(name)) {
            return Optional.of(Area.NODES);
        } else if (packageName.equals(LazyListSet.class.getPackageName())) {
            return Optional.of(Area.STRUCTURES);
        } else if (packageName.equals(RemoteLock.class.getPackageName()) && !name.equals(DESCRIPTION)) {
            return Optional.of(Area.LOCKS);
        } else if (packageName.equals(CentralizedLockQueue.class.getPackageName()) && !name.startsWith(WITH_MISTAKES)) {
            return Optional.of(Area.BASELINES);
        }
        return Optional.empty();
    }

    /** The names of all classes to mutate, in alphabetical order. */
    static List<String> names() {
        List<String> names = new ArrayList<>();
        for (Class<?> inPackage : List.of(
                LazyListSet.class,
                CentralizedLockQueue.class,
                RemoteLock.class,
                ComputeThread.class,
                RecordCache.class)) {
            names.addAll(classesBeside(inPackage).stream()
                    .filter(ClassesUnderTest::contain)
                    .toList());
        }
        names.sort(String::compareTo);
        return names;
    }

    private static List<String> classesBeside(Class<?> known) {
        try {
            URI source =
                    known.getProtectionDomain().getCodeSource().getLocation().toURI();
            Path path = Path.of(source);
            if (Files.isDirectory(path)) {
                return classesIn(path, known.getPackageName());
            }
            try (FileSystem jar = FileSystems.newFileSystem(path, Map.of())) {
                return classesIn(jar.getPath("/"), known.getPackageName());
            }
        } catch (URISyntaxException e) {
            throw new IllegalStateException("the classes beside " + known + " cannot be found", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> classesIn(Path root, String packageName) throws IOException {
        try (Stream<Path> files = Files.list(root.resolve(packageName.replace('.', '/')))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(".class") && !file.equals("package-info.class"))
                    .map(file -> packageName + "." + file.substring(0, file.length() - ".class".length()))
                    .toList();
        }
    }
}
