// SPDX-License-Identifier: Apache-2.0
package dev.remus.cloudlab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** All shell scripts of the project pass shellcheck, with all of its checks down to those of style. */
@Tag("processes")
@Tag("programs")
@Tag("any-jdk")
@Timeout(120)
class ShellcheckTest {
    private static final Pattern FIRST_LINE = Pattern.compile("#!.*\\b(ba|da|k)?sh\\b.*|# shellcheck shell=.*");

    @BeforeAll
    static void shellcheckIsThere() throws Exception {
        assumeTrue(Shell.has("shellcheck"), "there is no shellcheck; install it");
    }

    private static Shell.Ended check(List<String> scripts) throws Exception {
        List<String> command = new ArrayList<>(List.of("shellcheck", "--severity=style", "--format=gcc"));
        command.addAll(scripts);
        return Shell.run(command.toArray(new String[0]));
    }

    private static boolean isScript(Path file) throws IOException {
        if (file.toString().endsWith(".sh")) {
            return true;
        }
        // Bytes of any kind are characters of this encoding.
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
            String first = lines.readLine();
            return first != null && FIRST_LINE.matcher(first).matches();
        }
    }

    @Test
    void eachTrackedScriptPasses() throws Exception {
        Path root = Shell.CLOUDLAB.getParent();
        Shell.Ended tracked = Shell.run("git", "-C", root.toString(), "ls-files");
        assumeTrue(tracked.status() == 0, "this is no repository of git: " + tracked.output());
        List<String> scripts = new ArrayList<>();
        for (String name : tracked.output().lines().toList()) {
            Path file = root.resolve(name);
            if (Files.isRegularFile(file) && isScript(file)) {
                scripts.add(file.toString());
            }
        }
        assertThat(scripts)
                .contains(
                        root.resolve("remus").toString(),
                        root.resolve(".ci/run").toString(),
                        root.resolve("examples/rxe-vm/session").toString(),
                        root.resolve("framework/core/src/main/native/build.sh").toString(),
                        Shell.CL.toString());
        Shell.Ended ended = check(scripts);
        assertThat(ended.status()).as(ended.output()).isZero();
    }

    @Test
    void anUnquotedPathIsFound(@TempDir Path folder) throws Exception {
        Path script = Files.writeString(folder.resolve("script"), "#!/bin/sh\nrm -r $1\n");
        Shell.Ended ended = check(List.of(script.toString()));
        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.output()).contains("SC2086");
    }
}
