// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.doctor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A machine, accessed through the files of its kernel and through its network. */
final class ExaminedMachine {
    private final Path root;
    private final Network network;

    /** @param root {@code /}, or a folder that replaces it */
    ExaminedMachine(Path root, Network network) {
        this.root = root;
        this.network = network;
    }

    Network network() {
        return network;
    }

    /** @param name the absolute path without the first slash: {@code proc/meminfo} */
    Path path(String name) {
        return root.resolve(name);
    }

    boolean exists(String name) {
        return Files.exists(path(name));
    }

    /** The text of a file, stripped; empty if it cannot be read. */
    Optional<String> read(String name) {
        try {
            return Optional.of(Files.readString(path(name)).strip());
        } catch (IOException e) {
            return Optional.empty(); // reading an unused entry fails too
        }
    }

    /** The names in a folder, sorted; empty if there is no such folder. */
    List<String> list(String folder) {
        List<String> names = new ArrayList<>();
        if (Files.isDirectory(path(folder))) {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(path(folder))) {
                entries.forEach(entry -> names.add(entry.getFileName().toString()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        names.sort(null);
        return names;
    }

    /** The value of a name in {@code /proc/meminfo}; a kB is 1024 bytes. */
    Optional<Long> memoryInfo(String name) {
        Matcher line = Pattern.compile("^" + Pattern.quote(name) + ":\\s+(\\d+)( kB)?$", Pattern.MULTILINE)
                .matcher(read("proc/meminfo").orElse(""));
        return line.find()
                ? Optional.of(Long.parseLong(line.group(1)) * (line.group(2) == null ? 1 : 1024))
                : Optional.empty();
    }

    /** A number of bytes in a suitable unit. */
    static String size(long bytes) {
        if (bytes < 1 << 20) {
            return bytes / 1024 + " KiB";
        }
        return bytes < 1 << 30 ? bytes / (1 << 20) + " MiB" : String.format("%.1f GiB", bytes / (double) (1 << 30));
    }
}
