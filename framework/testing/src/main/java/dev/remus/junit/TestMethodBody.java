// SPDX-License-Identifier: Apache-2.0
package dev.remus.junit;

import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.platform.commons.support.ReflectionSupport;

/** A test method as the body of the Compute Threads of another process. */
final class TestMethodBody implements ComputeNode.Body {
    private final Object target;
    private final Method method;

    /** @param names the class of the test, the class that declares the method, and the method */
    TestMethodBody(String... names) throws ReflectiveOperationException {
        target = ReflectionSupport.newInstance(Class.forName(names[0]));
        method = Class.forName(names[1]).getDeclaredMethod(names[2], ComputeThread.class);
    }

    /** Checks that another process can make an object of the test's class. */
    static void checkConstructor(Class<?> type) {
        boolean inner = type.getEnclosingClass() != null && !Modifier.isStatic(type.getModifiers());
        if (inner
                || Arrays.stream(type.getDeclaredConstructors())
                        .noneMatch(constructor -> constructor.getParameterCount() == 0)) {
            throw new ExtensionConfigurationException("processes = true: each process makes a " + type.getSimpleName()
                    + ", so the class needs a constructor without parameters, and must not be an inner class");
        }
    }

    @Override
    public void run(ComputeThread ct) {
        ReflectionSupport.invokeMethod(method, target, ct);
    }
}
