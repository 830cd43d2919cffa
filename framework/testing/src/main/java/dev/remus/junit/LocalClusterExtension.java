// SPDX-License-Identifier: Apache-2.0
package dev.remus.junit;

import dev.remus.config.ClusterConfig;
import dev.remus.local.LocalConfig;
import dev.remus.local.ProcessCluster;
import dev.remus.local.ThreadCluster;
import dev.remus.node.ComputeThread;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.ReflectionSupport;
import org.opentest4j.TestAbortedException;

/** Runs the test methods that are annotated with {@link LocalCluster}. */
final class LocalClusterExtension implements ParameterResolver, InvocationInterceptor {
    private static final Set<Class<?>> TYPES = Set.of(ComputeThread.class, ThreadCluster.class, ProcessCluster.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return TYPES.contains(parameter.getParameter().getType());
    }

    /** Returns the cluster, or null for the Compute Thread, which only exists in a cluster that runs. */
    @Override
    public @Nullable Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        LocalCluster wanted = annotation(context.getRequiredTestMethod());
        Class<?> type = parameter.getParameter().getType();
        if (type == ComputeThread.class) {
            return null;
        }
        if (wanted.processes() && type == ThreadCluster.class) {
            throw new ExtensionConfigurationException(
                    "processes = true: the parameter must be a ProcessCluster or a ComputeThread, not a ThreadCluster");
        }
        return type == ThreadCluster.class ? threads(wanted) : processes(wanted);
    }

    private static LocalCluster annotation(Method test) {
        return AnnotationSupport.findAnnotation(test, LocalCluster.class).orElseThrow();
    }

    private static ThreadCluster threads(LocalCluster wanted) {
        return new ThreadCluster(config(wanted)).within(Duration.ofSeconds(wanted.timeoutSeconds()));
    }

    private static ProcessCluster processes(LocalCluster wanted) {
        return new ProcessCluster(config(wanted)).within(Duration.ofSeconds(wanted.timeoutSeconds()));
    }

    private static ClusterConfig config(LocalCluster wanted) {
        ClusterConfig.Builder config =
                LocalConfig.of(wanted.memoryNodes(), wanted.computeNodes(), wanted.threadsPerNode());
        for (String setting : wanted.settings()) {
            LocalConfig.set(config, setting);
        }
        return config.build();
    }

    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        Method test = method.getExecutable();
        if (!Set.of(test.getParameterTypes()).contains(ComputeThread.class)) {
            proceed(invocation);
            return;
        }
        if (test.getParameterCount() != 1) {
            throw new ExtensionConfigurationException(
                    "a method that takes a ComputeThread runs in each of them, and can have no other parameter");
        }
        invocation.skip(); // the cluster calls the method
        LocalCluster wanted = annotation(test);
        if (wanted.processes()) {
            Class<?> type = context.getRequiredTestClass();
            runInProcesses(processes(wanted), type, test);
        } else {
            Object target = method.getTarget().orElse(null);
            threads(wanted).run(ct -> ReflectionSupport.invokeMethod(test, target, ct));
        }
    }

    private static void runInProcesses(ProcessCluster cluster, Class<?> type, Method test) throws Exception {
        TestMethodBody.checkConstructor(type);
        try {
            cluster.run(
                    TestMethodBody.class,
                    type.getName(),
                    test.getDeclaringClass().getName(),
                    test.getName());
        } catch (AssertionError e) {
            throwAborted(e);
            throw e;
        }
    }

    private static void proceed(Invocation<Void> invocation) throws Throwable {
        try {
            invocation.proceed();
        } catch (AssertionError e) {
            throwAborted(e);
            throw e;
        }
    }

    /** An assumption that does not hold in a process aborts the test. */
    private static void throwAborted(AssertionError failure) {
        if (failure.getCause() instanceof TestAbortedException aborted) {
            throw aborted;
        }
    }
}
