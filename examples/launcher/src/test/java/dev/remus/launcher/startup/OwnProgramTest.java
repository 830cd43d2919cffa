// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.startup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./remus run} compiles a program and the classes that it uses. A script replaces Maven. */
@Tag("processes")
@Tag("any-jdk")
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class OwnProgramTest {
    private static final String PROGRAM = """
            package one.two;

            public class Program {
                public static void main(String... words) {
                    System.out.println(Helper.greeting() + " " + words[0]);
                }
            }
            """;

    @TempDir
    private Path folder;

    private Checkout checkout;

    @BeforeEach
    void aCheckoutWhoseJarIsEmpty() throws IOException {
        checkout = new Checkout(folder)
                .with("JAVA_HOME", System.getProperty("java.home"))
                .with("HOME", folder.resolve("home").toString());
        String jar = "examples/launcher/target/remus-launcher-0.2.0.jar";
        checkout.script(
                "mvnw",
                "mkdir -p " + Path.of(jar).getParent(),
                "\"$JAVA_HOME/bin/jar\" --create --file " + jar + " mvnw");
        Files.createDirectories(folder.resolve("framework/core/src/main"));
    }

    private void put(String place, String greeting) throws IOException {
        Path to = Files.createDirectories(folder.resolve(place));
        Files.writeString(to.resolve("Program.java"), PROGRAM);
        putHelper(place, greeting);
        Files.writeString(to.resolve("Unfinished.java"), "package three; no Java");
    }

    private void putHelper(String place, String greeting) throws IOException {
        Files.writeString(
                Files.createDirectories(folder.resolve(place)).resolve("Helper.java"),
                "package one.two; class Helper { static String greeting() { return \"" + greeting + "\"; } }");
    }

    private String run(String... files) throws Exception {
        String[] words = new String[files.length + 2];
        words[0] = "run";
        for (int i = 0; i < files.length; i++) {
            words[i + 1] = folder.resolve(files[i]).toString();
        }
        words[files.length + 1] = "all";
        Checkout.Call call = checkout.remus(words);
        assertThat(call.status()).as(call.err()).isZero();
        return call.out();
    }

    @Test
    void theClassesOfItsPackageAreFoundInTheFolderOfThatPackage() throws Exception {
        put("src/one/two", "hello");
        assertThat(run("src/one/two/Program.java")).isEqualTo("hello all\n");
    }

    @Test
    void theClassesOfItsPackageAreFoundBesideACopyInAnotherFolder() throws Exception {
        put("local copies", "hello");
        assertThat(run("local copies/Program.java")).isEqualTo("hello all\n");
    }

    @Test
    void aFileThatIsNamedTooIsTakenInPlaceOfTheOneBesideTheProgram() throws Exception {
        put("local", "hello");
        putHelper("changed", "welcome");
        assertThat(run("local/Program.java", "changed/Helper.java")).isEqualTo("welcome all\n");
    }
}
