// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import java.util.Queue;

/** A node in a process of its own. */
final class NodeProcess implements OtherNode {
    private final NodeVm vm;
    private final Queue<NodeVm> spares;
    private boolean finished;

    /**
     * @param vm the process, which has opened the node
     * @param spares takes the process when the node has closed in good order, if there is room; otherwise the process
     *     ends
     */
    NodeProcess(NodeVm vm, Queue<NodeVm> spares) {
        this.vm = vm;
        this.spares = spares;
    }

    @Override
    public String ask(String command) {
        return vm.ask(command);
    }

    @Override
    public void finish() {
        vm.ask("finish");
        finished = true;
        if (!spares.offer(vm)) {
            vm.end();
        }
    }

    @Override
    public void kill() {
        vm.kill();
    }

    @Override
    public void pause() {
        vm.signal("-STOP");
    }

    @Override
    public void resume() {
        vm.signal("-CONT");
    }

    @Override
    public void close() {
        if (!finished) {
            kill();
        }
    }

    @Override
    public String toString() {
        return vm.toString();
    }
}
