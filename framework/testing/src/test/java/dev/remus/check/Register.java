// SPDX-License-Identifier: Apache-2.0
package dev.remus.check;

/** A register that holds 0 at first: {@code write} returns null, {@code read} the value. */
final class Register implements DeterministicSpecification<Integer, Register.Access, Integer> {
    record Access(Integer written) {
        @Override
        public String toString() {
            return written == null ? "read()" : "write(" + written + ")";
        }
    }

    static Access write(int value) {
        return new Access(value);
    }

    static Access read() {
        return new Access(null);
    }

    @Override
    public Integer initial() {
        return 0;
    }

    @Override
    public Step<Integer, Integer> step(Integer value, Access access) {
        return access.written() == null ? new Step<>(value, value) : new Step<>(access.written(), null);
    }

    @Override
    public boolean changesNothing(Access access, Integer result) {
        return access.written() == null;
    }
}
