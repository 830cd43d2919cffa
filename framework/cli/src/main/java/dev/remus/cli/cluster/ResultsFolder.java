package dev.remus.cli.cluster;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;

/** The folder of one run, named after the program and the time at which it began. */
public final class ResultsFolder {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

    private ResultsFolder() {}

    /**
     * Creates it, now, so that a folder that cannot be written is noticed before the run and not after.
     *
     * @param out the folder for the folders of all runs; created if need be
     * @throws StartException if that cannot be
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
                    // another run began in the same second: the next number
                }
            }
        } catch (IOException e) {
            throw new StartException(
                    "--out: got '" + out + "', needs a folder that can be created and written: " + e, e);
        }
    }

    /** Removes it if nothing was put into it. */
    public static void removeIfEmpty(Path folder) {
        try {
            Files.deleteIfExists(folder);
        } catch (DirectoryNotEmptyException e) {
            // as it should be
        } catch (IOException e) {
            // an empty folder that is left is no reason to fail
        }
    }

    /** A path as short as a user in the current folder would write it. */
    public static Path fromHere(Path path) {
        Path here = Path.of("").toAbsolutePath();
        return path.startsWith(here) ? here.relativize(path) : path;
    }
}
