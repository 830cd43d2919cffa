package dev.remus.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class StructuresDocumentationTest {
    @Test
    void everythingPublicInTheStructuresIsDocumented() throws Exception {
        assertThat(PublicDocumentation.gaps(Path.of("src/main/java"))).isEmpty();
    }
}
