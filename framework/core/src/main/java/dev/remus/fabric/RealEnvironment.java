package dev.remus.fabric;

import java.util.concurrent.locks.LockSupport;

/** Time, waiting, random seeds and threads of the machine. */
public enum RealEnvironment implements Environment {
    /** The only instance. */
    INSTANCE;

    private static final int SPINS = Runtime.getRuntime().availableProcessors() > 1 ? 64 : 0;
    private static final int YIELDS = SPINS + 32;
    private static final long SHORTEST_PARK_NANOS = 20_000;
    private static final int DOUBLINGS = 6;

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    /** Spins, then yields, then parks for longer and longer. So more threads than cores still make progress. */
    @Override
    public void pause(int attempt, long nanos) {
        if (attempt < SPINS) {
            Thread.onSpinWait();
        } else if (attempt < YIELDS) {
            Thread.yield();
        } else {
            LockSupport.parkNanos(Math.min(nanos, SHORTEST_PARK_NANOS << Math.min(attempt - YIELDS, DOUBLINGS)));
            if (Thread.currentThread().isInterrupted()) {
                throw new FabricException("interrupted while waiting");
            }
        }
    }

    @Override
    public void sleep(long nanos) {
        LockSupport.parkNanos(nanos);
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
