// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import java.util.concurrent.locks.LockSupport;

/** Time, waiting, random seeds and threads of the machine. */
public enum RealEnvironment implements Environment {
    /** The only instance. */
    INSTANCE;

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public Pauses newPauses() {
        return new RealPauses();
    }

    @Override
    public void sleep(long nanos) {
        CarrierTurns.park(nanos);
    }

    @Override
    public long newSeed() {
        return System.nanoTime() ^ Thread.currentThread().getId() << 32;
    }

    @Override
    public Task start(String name, boolean daemon, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(daemon);
        thread.start();
        return new RealTask(thread);
    }

    @Override
    public Task startVirtual(String name, int carriers, Runnable body) {
        return new RealTask(VirtualThreads.start(name, carriers, CarrierTurns.starting(body)));
    }

    @Override
    public Task self() {
        return new RealTask(Thread.currentThread());
    }

    private record RealTask(Thread thread) implements Task {
        @Override
        public boolean isAlive() {
            return thread.isAlive();
        }

        @Override
        public void join() throws InterruptedException {
            thread.join();
        }

        @Override
        public void wake() {
            LockSupport.unpark(thread);
        }

        @Override
        public void interrupt() {
            thread.interrupt();
        }

        @Override
        public boolean isInterrupted() {
            return thread.isInterrupted();
        }
    }
}
