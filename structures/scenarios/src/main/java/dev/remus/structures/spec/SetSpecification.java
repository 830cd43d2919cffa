// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.check.DeterministicSpecification;

/**
 * The specification of a set. Its keys are independent, so each is a part of its own, whose state is whether the key is
 * there.
 *
 * @param <K> keys, with {@code equals} and {@code hashCode}
 */
public final class SetSpecification<K> implements DeterministicSpecification<Boolean, SetOperation<K>, Boolean> {
    private final boolean presentAtFirst;

    /** Specifies a set that is empty at first. */
    public SetSpecification() {
        this(false);
    }

    private SetSpecification(boolean presentAtFirst) {
        this.presentAtFirst = presentAtFirst;
    }

    /** Specifies a set that holds every key at first, like a list that was filled before the history began. */
    public static <K> SetSpecification<K> full() {
        return new SetSpecification<>(true);
    }

    @Override
    public Boolean initial() {
        return presentAtFirst;
    }

    @Override
    public Step<Boolean, Boolean> step(Boolean present, SetOperation<K> operation) {
        return switch (operation.kind()) {
            case CONTAINS -> new Step<>(present, present);
            case INSERT -> new Step<>(true, !present);
            case REMOVE -> new Step<>(false, present);
        };
    }

    @Override
    public Object partOf(SetOperation<K> operation) {
        return operation.key();
    }

    @Override
    public boolean changesNothing(SetOperation<K> operation, Boolean result) {
        return operation.kind() == SetOperation.Kind.CONTAINS || !result;
    }
}
