// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the {@link NoticeFile}s of this user's nodes on this machine:
 *
 * <pre>
 *  /dev/shm/remus-USER/.notices/       mode 0700
 *    verbs.memory-0.CLUSTER            the text of Memory Node 0
 *    verbs.compute-1.CLUSTER           the text of Compute Node 1; gone once it has left in good order
 * </pre>
 *
 * <p>The file of a process that has died stays as long as another node of its cluster lives on this machine, or until
 * the next node starts.
 */
public final class Notices {
    /** The end of the name of a file that is being written. */
    static final String NEXT = ".next";

    /** The entry of a node that has left, but not in good order. */
    static final String ABANDONED = "abandoned";

    private static final Pattern NAME =
            Pattern.compile("([A-Za-z0-9_-]+)\\.(memory|compute)-(\\d{1,4})\\.([A-Za-z0-9._-]+)");

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    /**
     * What a node shows.
     *
     * @param fabric the name of its fabric
     * @param cluster the name of its cluster
     * @param isMemoryNode whether this is the node's part as a Memory Node
     * @param node its id
     * @param pid the id of its process
     * @param isAlive whether that process runs, and takes part in the cluster
     * @param isStopped whether a signal has stopped it
     * @param notice the entries of its text, by name
     */
    public record Found(
            String fabric,
            String cluster,
            boolean isMemoryNode,
            int node,
            String pid,
            boolean isAlive,
            boolean isStopped,
            Map<String, String> notice) {
        /** Copies the entries. */
        public Found {
            notice = Map.copyOf(notice);
        }

        private List<String> key() {
            return List.of(fabric, cluster);
        }
    }

    private Notices() {}

    private static Path folder() {
        return ThisUser.folder().resolve(".notices");
    }

    static Path path(String fabric, String cluster, boolean isMemoryNode, int node) {
        return folder().resolve(fabric + (isMemoryNode ? ".memory-" : ".compute-") + node + "." + cluster);
    }

    /** Creates the folder, unless it is there. Refuses one that other users can enter. */
    static void createFolder() throws IOException {
        for (Path folder : List.of(ThisUser.folder(), folder())) {
            try {
                Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
            } catch (FileAlreadyExistsException e) {
                if (!isPrivate(folder)) {
                    throw new IOException(folder + " is no folder of this user alone", e);
                }
            }
        }
    }

    private static boolean isPrivate(Path folder) throws IOException {
        return attributes(folder)
                .filter(a ->
                        a.isDirectory() && ThisUser.owns(a) && a.permissions().equals(OWNER_ONLY))
                .isPresent();
    }

    private static Optional<PosixFileAttributes> attributes(Path path) throws IOException {
        try {
            return Optional.of(Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
        } catch (NoSuchFileException | NotDirectoryException e) {
            return Optional.empty();
        }
    }

    /**
     * All notices of this user on this machine, also those of nodes whose process has died.
     *
     * @throws IOException if the folder cannot be read
     */
    public static List<Found> all() throws IOException {
        List<Found> all = new ArrayList<>();
        for (Path file : files()) {
            read(file).ifPresent(all::add);
        }
        return all;
    }

    private static List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        if (isPrivate(folder())) {
            try (DirectoryStream<Path> found = Files.newDirectoryStream(folder())) {
                found.forEach(files::add);
            } catch (NoSuchFileException e) {
                return files; // it was empty, and is gone
            }
        }
        files.sort(null);
        return files;
    }

    private static Optional<Found> read(Path file) throws IOException {
        Matcher name = NAME.matcher(file.getFileName().toString());
        if (!name.matches()
                || name.group(4).endsWith(NEXT)
                || attributes(file).filter(PosixFileAttributes::isRegularFile).isEmpty()) {
            return Optional.empty();
        }
        Properties text = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            text.load(reader);
        } catch (NoSuchFileException e) {
            return Optional.empty(); // its node has left
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // the file was changed
        }
        Map<String, String> entries = new LinkedHashMap<>();
        text.stringPropertyNames().forEach(key -> entries.put(key, text.getProperty(key)));
        String pid = entries.getOrDefault("pid", "");
        Optional<ProcessStat> process = pid.matches("\\d{1,18}") ? ProcessStat.of(pid) : Optional.empty();
        boolean isAlive = process.filter(stat -> stat.start().equals(entries.get("start")) && !stat.hasEnded())
                        .isPresent()
                && !entries.containsKey(ABANDONED);
        return Optional.of(new Found(
                name.group(1),
                name.group(4),
                name.group(2).equals("memory"),
                Integer.parseInt(name.group(3)),
                pid,
                isAlive,
                isAlive && process.filter(ProcessStat::isStopped).isPresent(),
                entries));
    }

    /** Removes the notices of clusters of which no node lives on this machine. */
    static void removeDead() throws IOException {
        List<Found> all = all();
        Set<List<String>> alive = new HashSet<>();
        all.stream().filter(Found::isAlive).forEach(found -> alive.add(found.key()));
        for (Found found : all) {
            if (!alive.contains(found.key())) {
                Files.deleteIfExists(path(found.fabric(), found.cluster(), found.isMemoryNode(), found.node()));
            }
        }
    }
}
