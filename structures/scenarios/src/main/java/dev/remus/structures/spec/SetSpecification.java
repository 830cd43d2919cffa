package dev.remus.structures.spec;

import dev.remus.check.DeterministicSpecification;

/**
 * A set. Its keys know nothing of each other, so each is a part of its own, and the state of a part is whether its key is
 * there.
 *
 * @param <K> keys, with {@code equals} and {@code hashCode}
 */
public final class SetSpecification<K> implements DeterministicSpecification<Boolean, SetOperation<K>, Boolean> {
    private final boolean presentAtFirst;

    /** A set that is empty at first. */
    public SetSpecification() {
        this(false);
    }

    private SetSpecification(boolean presentAtFirst) {
        this.presentAtFirst = presentAtFirst;
    }

    /** A set that holds every key at first, as a list does that was filled before the history began. */
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
