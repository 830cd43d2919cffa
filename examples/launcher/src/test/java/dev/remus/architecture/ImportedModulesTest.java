// SPDX-License-Identifier: Apache-2.0
package dev.remus.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.source.SourceTree;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Modules that other projects import are documented and declare their exports. */
class ImportedModulesTest {
    static List<String> modules() {
        return SourceTree.modules().stream()
                .filter(module -> module.startsWith("framework/") || module.startsWith("structures/"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("modules")
    void everythingPublicIsDocumented(String module) throws Exception {
        assertThat(PublicDocumentation.gaps(SourceTree.ROOT.resolve(module).resolve("src/main/java")))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("modules")
    void theModuleDeclaresWhatItExports(String module) {
        assertThat(SourceTree.ROOT.resolve(module).resolve("src/main/java/module-info.java"))
                .exists();
    }
}
