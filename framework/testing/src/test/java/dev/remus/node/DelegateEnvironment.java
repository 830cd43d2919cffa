// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.fabric.Environment;
import dev.remus.fabric.RealEnvironment;

/** The real environment, for tests that replace a part of it. */
class DelegateEnvironment implements Environment {
    private final Environment real = RealEnvironment.INSTANCE;

    @Override
    public long nanoTime() {
        return real.nanoTime();
    }

    @Override
    public Pauses newPauses() {
        return real.newPauses();
    }

    @Override
    public void sleep(long nanos) {
        real.sleep(nanos);
    }

    @Override
    public long newSeed() {
        return real.newSeed();
    }

    @Override
    public Task start(String name, boolean daemon, Runnable body) {
        return real.start(name, daemon, body);
    }

    @Override
    public Task self() {
        return real.self();
    }
}
