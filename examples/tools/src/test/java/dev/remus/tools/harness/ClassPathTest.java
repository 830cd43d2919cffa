// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.options.OptionSet;
import dev.remus.options.RemusOptions;
import dev.remus.options.UsageException;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that {@code --set} finds classes on {@code --class-path}. */
@Timeout(60)
class ClassPathTest {
    @TempDir
    private Path folder;

    private OwnClasses classes;

    @BeforeEach
    void compile() throws Exception {
        classes = OwnClasses.compile(folder);
    }

    private static IntSetFactory factory(String... options) {
        List<String> words = new ArrayList<>(List.of(
                "--node-id=0",
                "--first-mn-id=0",
                "--last-mn-id=0",
                "--first-cn-id=0",
                "--last-cn-id=0",
                "--mn-port=1",
                "--cn-threads=1"));
        words.addAll(List.of(options));
        OptionSet set = new OptionSet("test", "").include(IntSetOptions.group()).include(RemusOptions.groups());
        return IntSetOptions.factory(set.parse(words.toArray(String[]::new)));
    }

    private static void assertRefused(String message, String... options) {
        assertThatThrownBy(() -> factory(options))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(message);
    }

    @Test
    void aClassIsFoundInAFolderInAJarAndBehindOtherEntries() {
        String set = OwnClasses.SET;
        for (String path : List.of(
                classes.folder().toString(), classes.jar().toString(), folder + File.pathSeparator + classes.jar())) {
            assertThat(factory("--set", set, "--class-path", path).name()).isEqualTo(set);
        }
    }

    @Test
    void theSetsThatComeWithTheStructuresAreStillFound() {
        assertThat(factory("--set", "fast", "--class-path", folder.toString()).name())
                .isEqualTo(factory("--set", "fast").name());
    }

    @Test
    void anEntryThatIsNeitherAFolderNorAJarIsRefusedWithTheNearestName() throws Exception {
        Path jar = classes.jar();
        assertRefused("there is no '" + jar + "s'; did you mean " + jar + "?", "--class-path", jar + "s");
        Path text = Files.writeString(folder.resolve("text.jar"), "no jar");
        assertRefused("'" + text + "' is neither a folder nor a jar file", "--class-path", text.toString());
        assertRefused("it names none", "--class-path", ":");
        assertRefused("cannot be a path", "--class-path", "a\0b");
    }

    @Test
    void aMissingClassIsRefusedWithTheNearestNameOrAHintToTheOption() {
        String path = classes.folder().toString();
        String near = "there is no class own.FidSett; did you mean own.FidSet?";
        assertRefused(near, "--set", "own.FidSett", "--class-path", path);
        assertRefused(
                near, "--set", "own.FidSett", "--class-path", classes.jar().toString());
        assertRefused("there is no class own.Else in that --class-path", "--set", "own.Else", "--class-path", path);
        assertRefused("--class-path names the folder or jar file", "--set", "own.FidSet");
    }
}
