// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.ci;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.launcher.startup.Checkout;
import dev.remus.source.SourceTree;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Everything runs on a bare Debian in a folder: it has each program that is started, unless the caller handles the
 * program's absence, and no code looks for the mount point of a file.
 */
@Tag("processes")
@Tag("any-jdk")
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class BareMachineTest {
    private static final Path ROOT = SourceTree.ROOT;

    /**
     * The programs that may be required: those of a Debian 12 made by {@code debootstrap --variant=minbase
     * --include=git,ca-certificates}. It lacks kill, ps, ip, less, curl, xz, sudo, free, uptime and unzip.
     */
    private static final Set<String> BARE = Set.of(
            // shells and their usual tools
            ("sh bash awk grep sed find xargs tar gzip cmp diff git perl which"
                            // coreutils
                            + " basename cat chmod cp cut date dd df dirname echo env expr false head id install ln ls mkdir mkfifo"
                            + " mktemp mv nice nohup nproc od paste printf pwd readlink realpath rm rmdir seq sha256sum sleep sort stat"
                            + " stdbuf stty tail tee test timeout touch tr true tty uname uniq wc"
                            // util-linux
                            + " flock mount mountpoint script setpriv setsid umount unshare"
                            // the system
                            + " apt-cache apt-config apt-get chroot dpkg getent hostname ldconfig")
                    .split(" "));

    /** Programs that may be missing; their callers continue without them. */
    private static final Set<String> OPTIONAL = Set.of("mpirun", "mpicc", "cc", "ip", "systemd-analyze");

    /** Files that compose a command, with the programs that they start. */
    private static final Map<String, String> COMPOSED = Map.ofEntries(
            Map.entry("examples/tools/src/main/java/dev/remus/tools/bench/Jdk.java", "a Java that the user names"),
            Map.entry("examples/tools/src/main/java/dev/remus/tools/bench/MpiProgram.java", "mpirun, if it is there"),
            Map.entry("examples/tools/src/main/java/dev/remus/tools/bench/Perftest.java", "perftest; its line says so"),
            Map.entry("examples/tools/src/main/java/dev/remus/tools/bench/SimFork.java", "Java"),
            Map.entry(
                    "examples/tools/src/main/java/dev/remus/tools/peer/PeerServer.java",
                    "Java, and redis-server if it is there"),
            Map.entry("examples/tools/src/main/java/dev/remus/tools/bench/queues/RingInC.java", "what cc has made"),
            Map.entry("framework/core/src/main/java/dev/remus/process/NodeProcess.java", "Java"),
            Map.entry("cloudlab/src/test/java/dev/remus/cloudlab/Machines.java", "sshd; the tests are skipped"),
            Map.entry("cloudlab/src/test/java/dev/remus/cloudlab/Shell.java", "cl, and what its callers check for"),
            Map.entry("examples/launcher/src/test/java/dev/remus/launcher/processes/ReadableOutputTest.java", "Java"),
            Map.entry(
                    "examples/launcher/src/test/java/dev/remus/launcher/processes/StartErrorsTest.java",
                    "mount, umount, dd"),
            Map.entry(
                    "examples/launcher/src/test/java/dev/remus/launcher/processes/Started.java",
                    "Java, by sh, by script"),
            Map.entry("examples/launcher/src/test/java/dev/remus/launcher/processes/StatusOfSignalTest.java", "Java"),
            Map.entry("examples/launcher/src/test/java/dev/remus/launcher/startup/Checkout.java", "remus"),
            Map.entry(
                    "examples/launcher/src/test/java/dev/remus/launcher/startup/LauncherFailuresTest.java",
                    "mount, umount"),
            Map.entry("examples/launcher/src/test/java/dev/remus/launcher/readme/ModulePathTest.java", "Java"),
            Map.entry("examples/launcher/src/test/java/dev/remus/launcher/readme/FrontDoorTest.java", "Java"),
            Map.entry("examples/launcher/src/test/java/dev/remus/launcher/readme/OutsideProject.java", "Maven"),
            Map.entry("examples/launcher/src/test/java/dev/remus/launcher/rxevm/RxeVmTest.java", "rxe-vm"),
            Map.entry("examples/launcher/src/test/java/dev/remus/launcher/rxevm/TestsBesideTest.java", "remus"),
            Map.entry("framework/testing/src/test/java/dev/remus/fabric/NodeVm.java", "Java"),
            Map.entry("framework/testing/src/test/java/dev/remus/fabric/shm/LargeMappingTest.java", "Java"),
            Map.entry("framework/testing/src/test/java/dev/remus/fabric/verbs/NativesTest.java", "Java"),
            Map.entry("framework/testing/src/test/java/dev/remus/jvm/ClassArchive.java", "Java"),
            Map.entry("framework/testing/src/test/java/dev/remus/jvm/ClassArchiveTest.java", "Java"),
            Map.entry("framework/testing/src/test/java/dev/remus/observe/ObserveTest.java", "Java"),
            Map.entry("framework/testing/src/test/java/dev/remus/readme/ReadmeTest.java", "Java"),
            Map.entry(
                    "framework/testing/src/test/java/dev/remus/simulation/PageInBrowserTest.java",
                    "chromium; the test is skipped"));

    private static final Pattern START = Pattern.compile(
            "(?:new ProcessBuilder|\\.command|\\.exec)\\(\\s*(?:List\\.of\\(\\s*)?(\"[^\"]*\"|[\\w.(])");

    /** The tags whose tests {@code .ci/bare --first-half} runs, and that of tests which need an RDMA device. */
    private static final Pattern RUNS_THERE = Pattern.compile("@Tag\\(\"(processes|machine|verbs)\"\\)");

    @TempDir
    private Path folder;

    private Path tools;

    @BeforeEach
    void linkBarePrograms() throws IOException {
        tools = Files.createDirectory(folder.resolve("tools"));
        for (String directory : System.getenv("PATH").split(File.pathSeparator)) {
            for (String name : BARE) {
                Path program = Path.of(directory, name);
                if (Files.isExecutable(program) && Files.notExists(tools.resolve(name))) {
                    Files.createSymbolicLink(tools.resolve(name), program.toAbsolutePath());
                }
            }
        }
    }

    /** Prevents a warning of JUnit when it removes the folder. */
    @AfterEach
    void removeTheLinks() throws IOException {
        try (Stream<Path> links = Files.list(tools)) {
            for (Path link : links.toList()) {
                Files.delete(link);
            }
        }
    }

    private static List<Path> sources() throws IOException {
        return SourceTree.javaFiles("src");
    }

    @Test
    void testsThatStartAProgramRunOnTheBareMachineOfCi() throws Exception {
        List<String> elsewhere = new ArrayList<>();
        for (Path source : SourceTree.javaFiles("src/test")) {
            String text = Files.readString(source);
            if (source.toString().endsWith("Test.java")
                    && START.matcher(text).find()
                    && !RUNS_THERE.matcher(text).find()) {
                elsewhere.add(source.getFileName().toString());
            }
        }
        assertThat(elsewhere).containsExactly("PageInBrowserTest.java"); // chromium is not there
    }

    /** Otherwise a tag that a page recommends has no effect. */
    @Test
    void theTagsThatThePageForContributorsNamesAreInUse() throws Exception {
        String page = Files.readString(ROOT.resolve(".github/CONTRIBUTING.md"));
        StringBuilder tests = new StringBuilder();
        for (Path source : SourceTree.javaFiles("src/test")) {
            tests.append(Files.readString(source));
        }
        // the rows of the table of tags, which has five columns
        List<String> named = Pattern.compile("(?m)^\\| `([a-z-]+)`[^|]* \\| [^|]+ \\| [^|]+ \\| [^|]+ \\| [^|]+ \\|$")
                .matcher(page)
                .results()
                .map(tag -> tag.group(1))
                .toList();
        assertThat(named)
                .hasSizeGreaterThan(1)
                .allSatisfy(tag -> assertThat(tests).contains("@Tag(\"" + tag + "\")"));
    }

    @Test
    void javaStartsNoProgramThatABareMachineLacks() throws Exception {
        Map<String, Set<String>> lacking = new TreeMap<>();
        Set<String> composed = new TreeSet<>();
        for (Path source : sources()) {
            if (source.endsWith("ci/BareMachineTest.java")) {
                continue; // it contains all of them
            }
            String name = ROOT.relativize(source).toString();
            Matcher start = START.matcher(Files.readString(source));
            while (start.find()) {
                String program = start.group(1).replace("\"", "");
                if (!start.group(1).startsWith("\"")) {
                    composed.add(name);
                } else if (!BARE.contains(program) && !OPTIONAL.contains(program)) {
                    lacking.computeIfAbsent(name, n -> new TreeSet<>()).add(program);
                }
            }
        }
        assertThat(lacking).isEmpty();
        assertThat(composed)
                .as("files that compose a command are listed, with the handling of a missing program")
                .isEqualTo(COMPOSED.keySet());
    }

    @Test
    void javaDoesNotLookForMountPoints() throws Exception {
        List<Path> looking = new ArrayList<>();
        for (Path source : sources()) {
            if (!source.endsWith("ci/BareMachineTest.java")
                    && Files.readString(source).contains("getFileStore")) {
                looking.add(source);
            }
        }
        assertThat(looking).as("File.getUsableSpace needs no mount point").isEmpty();
    }

    private Path program(String name, String... lines) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }

    private String run(int expectedStatus, Path program, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        Path output = folder.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(output.toFile());
        builder.environment().put("PATH", tools.toString());
        builder.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
        Process process = builder.start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        String text = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(text).isEqualTo(expectedStatus);
        assertThat(text).doesNotContain("not found", "No such file");
        return text;
    }

    @Test
    void theLauncherBuildsRunsTestsAndCleansOnABareMachine() throws Exception {
        new Checkout(folder);
        Path launcher = folder.resolve("remus");
        for (String module : List.of("framework/core", "structures/core", "examples/tools")) {
            Files.createDirectories(folder.resolve(module).resolve("src/main"));
            Files.createFile(folder.resolve(module).resolve("pom.xml"));
        }
        program("jdk/bin/java", "echo java \"$@\"");
        program("jdk/bin/javac", "echo javac \"$@\"");
        Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"17.0.1\"\n");
        program(
                "mvnw",
                "mkdir -p examples/launcher/target",
                ": >examples/launcher/target/remus-launcher-0.2.0.jar",
                "echo mvnw \"$@\"");
        program("examples/rxe-vm/rxe-vm", "exit 1");
        Path own = Files.writeString(folder.resolve("Own.java"), "class Own {}\n");

        assertThat(run(0, launcher, "--help")).contains("./remus COMMAND");
        assertThat(run(0, launcher, "intset", "--num-ops=1")).contains("building", "intset --num-ops=1");
        assertThat(run(0, launcher, "intset")).doesNotContain("building");
        assertThat(run(0, launcher, "run", own.toString())).contains("javac ", "java ");
        assertThat(run(0, launcher, "test")).contains("mvnw clean verify");
        run(0, launcher, "build");
        run(0, launcher, "clean");
        assertThat(folder.resolve("examples/launcher/target")).doesNotExist();
    }

    @Test
    void scriptsThatNeedMoreReportMissingPrograms() throws Exception {
        Path natives = ROOT.resolve("framework/core/src/main/native/build.sh").toRealPath();
        assertThat(run(0, natives, folder.resolve("natives").toString(), "/none"))
                .contains("apt-get install gcc");
        Path machine = ROOT.resolve("examples/rxe-vm/rxe-vm").toRealPath();
        assertThat(run(1, machine, "--check")).contains("apt-get install");
        Path tests = ROOT.resolve("examples/rxe-vm/verbs-tests").toRealPath();
        String reports = folder.resolve("target/verbs-reports").toString();
        assertThat(run(0, tests, reports, "examples.jar", "classes")).contains("SKIPPED", "apt-get install");
    }
}
