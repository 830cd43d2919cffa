// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import dev.remus.fabric.FabricException;
import dev.remus.fabric.ThisUser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Whether an entry of the folder for shared memory is ours. An entry is neither opened nor removed before this is
 * known: opening a pipe would wait for ever, and a link may lead anywhere.
 */
final class FolderEntry {
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    private static final Pattern NODE = Pattern.compile("(memory|compute)-\\d{1,4}");

    private static final Pattern NAME = Pattern.compile("memory-\\d{1,4}(\\.seg-\\d{1,2}|\\.notice(\\.next)?)?"
            + "|compute-\\d{1,4}(\\.notice(\\.next)?)?|finished\\.compute-\\d{1,4}");

    private static final String OR_ELSEWHERE = ", or set REMUS_SHM_DIR to another folder for shared memory";

    private FolderEntry() {}

    /** Whether it is a file of this user with a name that nodes use. */
    static boolean isOurs(Path path) throws IOException {
        return hasName(path) && isOwnFile(path);
    }

    /** Whether it has a name that nodes use. */
    static boolean hasName(Path path) {
        return NAME.matcher(name(path)).matches();
    }

    /** Whether it has the name of a node file. */
    static boolean hasNodeName(Path path) {
        return NODE.matcher(name(path)).matches();
    }

    private static String name(Path path) {
        return path.getFileName().toString();
    }

    /** Whether it is a file of this user, and not a link to one. */
    static boolean isOwnFile(Path path) throws IOException {
        return look(path).filter(a -> a.isRegularFile() && ThisUser.owns(a)).isPresent();
    }

    /** Whether it is a folder of this user, and not a link to one. */
    static boolean isOwnFolder(Path path) throws IOException {
        return look(path).filter(a -> a.isDirectory() && ThisUser.owns(a)).isPresent();
    }

    /**
     * Whether there is a file of this user at the path.
     *
     * @throws FabricException if anything else is there; the message names the remedy
     */
    static boolean exists(Path file) throws IOException {
        Optional<PosixFileAttributes> found = look(file);
        if (found.isPresent() && !(found.get().isRegularFile() && ThisUser.owns(found.get()))) {
            throw inTheWay(file, found.get());
        }
        return found.isPresent();
    }

    /**
     * Requires a folder that only this user can enter.
     *
     * @throws FabricException if the path is anything else; the message names the remedy
     */
    static void requirePrivateFolder(Path folder) throws IOException {
        PosixFileAttributes found = look(folder).orElseThrow(() -> new NoSuchFileException(folder.toString()));
        if (!found.isDirectory() || !ThisUser.owns(found)) {
            throw inTheWay(folder, found);
        }
        if (!found.permissions().equals(OWNER_ONLY)) {
            throw new FabricException(folder + " is open to other users: chmod 700 " + folder + OR_ELSEWHERE);
        }
    }

    /**
     * Whether there is a file of this user at the path, before its memory is used.
     *
     * @throws FabricException if anything else is there, or other users may open it; the message names the remedy
     */
    static boolean existsForThisUserAlone(Path file) throws IOException {
        if (!exists(file)) {
            return false;
        }
        if (look(file)
                .filter(found -> !OWNER_ONLY.containsAll(found.permissions()))
                .isPresent()) {
            throw new FabricException(file + " is open to other users: chmod 600 " + file + OR_ELSEWHERE);
        }
        return true;
    }

    private static FabricException inTheWay(Path path, PosixFileAttributes found) {
        if (!ThisUser.owns(found)) {
            return new FabricException(
                    path + " belongs to another user (" + found.owner().getName()
                            + "), so no node of this user can use it: set REMUS_SHM_DIR to another folder for shared memory");
        }
        String kind = found.isSymbolicLink()
                ? "a symbolic link"
                : found.isDirectory() ? "a folder" : found.isRegularFile() ? "a file" : "a pipe, socket or device";
        return new FabricException(path + " is " + kind + " that no node made: rm -r " + path + OR_ELSEWHERE);
    }

    private static Optional<PosixFileAttributes> look(Path path) throws IOException {
        try {
            return Optional.of(Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
        } catch (NoSuchFileException | NotDirectoryException e) {
            return Optional.empty();
        }
    }
}
