// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.shell;

import java.util.Map;
import jdk.jshell.spi.ExecutionControl;
import jdk.jshell.spi.ExecutionControlProvider;
import jdk.jshell.spi.ExecutionEnv;

/** By this, JShell finds {@link OwnerThread}. */
public final class OwnerThreadProvider implements ExecutionControlProvider {
    static final String NAME = "remus";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public ExecutionControl generate(ExecutionEnv env, Map<String, String> parameters) {
        return new OwnerThread();
    }
}
