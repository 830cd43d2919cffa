// SPDX-License-Identifier: Apache-2.0
package dev.remus.process;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.security.CodeSource;
import java.security.SecureClassLoader;
import java.security.cert.Certificate;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What happens to the processes of a cluster when the framework is in a jar in a jar. */
class NestedJarTest {
    private static final String NESTED = "jar:file:/app.jar!/BOOT-INF/lib/remus-framework.jar!/";

    /** Loads {@link NodeProcess} as from a nested jar. */
    private static final class Nested extends SecureClassLoader {
        Nested() {
            super(NodeProcess.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            return name.equals(NodeProcess.class.getName()) ? define(name) : super.loadClass(name, resolve);
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = NodeProcess.class.getResourceAsStream("NodeProcess.class")) {
                byte[] bytes = in.readAllBytes();
                CodeSource source = new CodeSource(URI.create(NESTED).toURL(), (Certificate[]) null);
                return defineClass(name, bytes, 0, bytes.length, source);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    @Test
    void aNodeOfANestedJarIsRefusedWithTheWayToUnpackIt() throws Exception {
        Class<?> process = new Nested().loadClass(NodeProcess.class.getName());
        assertThatThrownBy(() -> process.getConstructors()[0].newInstance(1, List.of(), "Main", List.of(), null, null))
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(NESTED)
                .hasMessageContaining("-cp 'BOOT-INF/classes:BOOT-INF/lib/*'");
    }
}
