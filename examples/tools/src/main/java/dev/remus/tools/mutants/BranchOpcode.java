// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.mutants;

import org.objectweb.asm.Opcodes;

/** The branches that compare an {@code int} with 0, by their opcodes. */
final class BranchOpcode {
    private BranchOpcode() {}

    static boolean isSupported(int opcode) {
        return opcode >= Opcodes.IFEQ && opcode <= Opcodes.IFLE;
    }

    /** Whether the branch is taken with an operand. */
    static boolean isTaken(int opcode, int operand) {
        return switch (opcode) {
            case Opcodes.IFEQ -> operand == 0;
            case Opcodes.IFNE -> operand != 0;
            case Opcodes.IFLT -> operand < 0;
            case Opcodes.IFGE -> operand >= 0;
            case Opcodes.IFGT -> operand > 0;
            case Opcodes.IFLE -> operand <= 0;
            default -> throw new IllegalArgumentException("no branch that compares with 0: " + opcode);
        };
    }

    /** An operand with which the branch is taken, or not; a boolean stays one. */
    static int operand(int opcode, boolean isTaken) {
        if (isTaken(opcode, 0) == isTaken) {
            return 0;
        }
        return isTaken(opcode, 1) == isTaken ? 1 : -1;
    }
}
