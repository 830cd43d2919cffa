// SPDX-License-Identifier: Apache-2.0
package dev.remus.cloudlab;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A debugger at its least, by the Java Debug Interface. */
final class Debugger {
    private static final long PATIENCE_SECONDS = 60;

    private Debugger() {}

    /** Whether this Java has what it needs. */
    static boolean isThere() {
        return ModuleLayer.boot().findModule("jdk.jdi").isPresent();
    }

    /** Attaches to a Java VM that waits for a debugger, stops it when it has loaded a class, and lets it go. */
    static void stopAtAndGoOn(String className, int port) throws Exception {
        VirtualMachine vm = attach(port);
        try {
            ClassPrepareRequest loaded = vm.eventRequestManager().createClassPrepareRequest();
            loaded.addClassFilter(className);
            loaded.setSuspendPolicy(EventRequest.SUSPEND_ALL);
            loaded.enable();
            vm.resume();
            await(vm, className);
        } finally {
            vm.dispose(); // which also resumes it
        }
    }

    private static VirtualMachine attach(int port) throws Exception {
        AttachingConnector connector = Bootstrap.virtualMachineManager().attachingConnectors().stream()
                .filter(each -> each.transport().name().equals("dt_socket"))
                .findFirst()
                .orElseThrow();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        arguments.get("hostname").setValue("127.0.0.1");
        arguments.get("port").setValue(Integer.toString(port));
        arguments.get("timeout").setValue(Long.toString(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS)));
        return connector.attach(arguments);
    }

    private static void await(VirtualMachine vm, String className) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (System.nanoTime() - deadline < 0) {
            EventSet events = vm.eventQueue().remove(TimeUnit.SECONDS.toMillis(1));
            if (events != null) {
                for (Event event : events) {
                    if (event instanceof ClassPrepareEvent prepared
                            && prepared.referenceType().name().equals(className)) {
                        return;
                    }
                }
                events.resume();
            }
        }
        throw new AssertionError("the Java VM does not load " + className);
    }
}
