// SPDX-License-Identifier: Apache-2.0
package dev.remus.cli.cluster;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;

/** The folder for the results of a run, named after the program and the start time. */
public final class ResultsFolder {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

    private ResultsFolder() {}

    /**
     * Creates the folder. Call it before the run, so that missing permissions are noticed early.
     *
     * @param out the folder for the folders of all runs, created if it does not exist
     * @throws StartException if the folder cannot be created
     */
    public static Path create(Path out, String program) {
        String name = program + "-" + LocalDateTime.now().format(TIME);
        try {
            Files.createDirectories(out);
            for (int i = 1; ; i++) {
                Path folder = out.resolve(i == 1 ? name : name + "-" + i);
                try {
                    return Files.createDirectory(folder);
                } catch (FileAlreadyExistsException e) {
                    // another run started in the same second: try the next number
                }
            }
        } catch (IOException e) {
            throw new StartException(
                    "--out: got '" + out + "', needs a folder that can be created and written: " + e, e);
        }
    }

    /** Removes the folder if it is empty. */
    public static void removeIfEmpty(Path folder) {
        try {
            Files.deleteIfExists(folder);
        } catch (DirectoryNotEmptyException e) {
            // the folder holds results
        } catch (IOException e) {
            // a leftover empty folder is harmless
        }
    }

    /** A path relative to the current folder, if it is below it. */
    public static Path fromHere(Path path) {
        Path here = Path.of("").toAbsolutePath();
        return path.startsWith(here) ? here.relativize(path) : path;
    }
}
