// SPDX-License-Identifier: Apache-2.0
package dev.remus.cli.cluster;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A node's folder for results, made when it is first needed: any Compute Node may have to write them, if those before
 * it are lost. Any thread may call its methods.
 */
final class ResultsOnDemand implements Supplier<Optional<Path>> {
    private final Supplier<Optional<Path>> create;
    private @Nullable Optional<Path> created;

    /** @param create makes the folder; empty if the job leaves no results */
    ResultsOnDemand(Supplier<Optional<Path>> create) {
        this.create = create;
    }

    @Override
    public synchronized Optional<Path> get() {
        Optional<Path> known = created;
        if (known == null) {
            known = create.get();
            created = known;
        }
        return known;
    }

    /** The folder if it was needed, else empty. */
    synchronized Optional<Path> created() {
        Optional<Path> known = created;
        return known == null ? Optional.empty() : known;
    }
}
