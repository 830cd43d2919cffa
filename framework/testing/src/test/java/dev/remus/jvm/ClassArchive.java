// SPDX-License-Identifier: Apache-2.0
package dev.remus.jvm;

import java.io.BufferedOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The class path of this Java VM for the ones that its tests start, with an archive of the classes that a program loads
 * (class data sharing), which saves a third of the time of a short program.
 *
 * <pre>
 * target/class-archive/
 *   lock             held by the process that makes the rest
 *   key              a description of the archive's sources; written last
 *   classes-N.jar    the N-th entry of the class path if that is a folder: archives are only of jars
 *   classes.jsa      the archive
 *   made.log         the output of the program that ran to make it
 * </pre>
 *
 * <p>The first test that needs the archive makes it, and again when a class, a jar or the Java has changed. If that
 * fails, as in a folder that cannot be written, tests run without it.
 */
public final class ClassArchive {
    private static final int LIMIT_SECONDS = 100;

    /** Lets a Java VM that cannot use the archive run without it, and without a message. */
    private static final String QUIETLY = "-Xlog:cds*=off";

    private final Path folder;
    private final List<String> entries;
    private final String key;
    private final List<String> options;

    /** Makes an archive in any folder, for any class path. */
    ClassArchive(Path folder, String classPath, List<String> program) {
        this.folder = folder;
        entries = List.of(classPath.split(File.pathSeparator));
        List<String> plain = List.of("-cp", classPath);
        key = key();
        options = make(program) ? List.of("-XX:SharedArchiveFile=" + archive(), QUIETLY, "-cp", archived()) : plain;
    }

    /**
     * Returns an archive under {@code target} of the classes that a program loads, with the class path of this Java VM.
     * Makes the archive unless it exists.
     *
     * @param program options of its Java VM, if any, its main class and arguments; it must end by itself within a few
     *     seconds, and works in the folder of the archive. From Java 24 on, only a child with the same options that are
     *     about modules can use the archive.
     */
    public static ClassArchive of(List<String> program) {
        return new ClassArchive(
                Path.of("target/class-archive").toAbsolutePath(), System.getProperty("java.class.path"), program);
    }

    /** Returns options for a child Java VM of the same Java: the class path, and the archive if there is one. */
    public List<String> options() {
        return options;
    }

    private Path archive() {
        return folder.resolve("classes.jsa");
    }

    private Path jar(int index) {
        return folder.resolve("classes-" + index + ".jar");
    }

    private String archived() {
        List<String> jars = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            Path entry = Path.of(entries.get(i));
            if (Files.exists(entry)) { // a Java VM would ignore it too
                jars.add(Files.isDirectory(entry) ? jar(i).toString() : entry.toString());
            }
        }
        return String.join(File.pathSeparator, jars);
    }

    /** Lists every file that a class may come from, with its size and the time of its last change. */
    private String key() {
        StringBuilder text = new StringBuilder(System.getProperty("java.home") + " " + Runtime.version() + "\n");
        try {
            for (String entry : entries) {
                if (Files.exists(Path.of(entry))) {
                    for (Path file : files(Path.of(entry))) {
                        text.append(file).append(' ').append(Files.size(file)).append(' ');
                        text.append(Files.getLastModifiedTime(file)).append('\n');
                    }
                }
            }
        } catch (IOException e) {
            return "";
        }
        return text.toString();
    }

    private static List<Path> files(Path entry) throws IOException {
        try (Stream<Path> all = Files.walk(entry)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }

    /** Makes the archive if it is missing or stale; returns whether there is a current one. */
    private boolean make(List<String> program) {
        boolean hasOwn = ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .anyMatch(flag -> flag.startsWith("-XX:SharedArchiveFile="));
        if (hasOwn || key.isEmpty()) {
            return false;
        }
        try {
            Files.createDirectories(folder);
            try (FileChannel lock = FileChannel.open(
                            folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock held = lock.lock()) {
                return held.isValid() && (isFresh() || makeAnew(program));
            }
        } catch (IOException e) {
            return false;
        }
    }

    private boolean isFresh() throws IOException {
        Path written = folder.resolve("key");
        return Files.isReadable(archive())
                && Files.isReadable(written)
                && Files.readString(written).equals(key);
    }

    private boolean makeAnew(List<String> program) throws IOException {
        Files.deleteIfExists(folder.resolve("key"));
        Files.deleteIfExists(archive());
        for (int i = 0; i < entries.size(); i++) {
            Path entry = Path.of(entries.get(i));
            if (Files.isDirectory(entry)) {
                pack(entry, jar(i));
            }
        }
        if (!run(program) || !Files.exists(archive())) {
            return false;
        }
        Files.writeString(folder.resolve("key"), key);
        return true;
    }

    private static void pack(Path classes, Path jar) throws IOException {
        try (OutputStream file = new BufferedOutputStream(Files.newOutputStream(jar));
                ZipOutputStream zip = new ZipOutputStream(file)) {
            zip.setLevel(Deflater.NO_COMPRESSION);
            for (Path each : files(classes)) {
                zip.putNextEntry(
                        new ZipEntry(classes.relativize(each).toString().replace(File.separatorChar, '/')));
                Files.copy(each, zip);
                zip.closeEntry();
            }
        }
    }

    /** Runs the program, at whose end the Java VM writes the archive; returns whether both succeeded. */
    private boolean run(List<String> program) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m"));
        command.addAll(List.of("-XX:ArchiveClassesAtExit=" + archive(), "-cp", archived()));
        command.addAll(program);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("made.log").toFile());
        Process process = builder.start();
        try {
            return process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            process.destroyForcibly();
        }
    }
}
