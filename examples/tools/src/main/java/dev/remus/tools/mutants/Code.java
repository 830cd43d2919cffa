// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.mutants;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/** Helpers to inspect and generate bytecode. */
final class Code {
    private static final String OURS = "dev/remus/";
    private static final String SWITCH = Type.getInternalName(Switch.class);

    private Code() {}

    /** Whether the called method belongs to Remus. */
    static boolean isOurs(MethodInsnNode call) {
        return call.owner.startsWith(OURS);
    }

    /** The preceding instruction, or null. */
    static AbstractInsnNode before(AbstractInsnNode instruction) {
        AbstractInsnNode before = instruction.getPrevious();
        while (before != null && before.getOpcode() < 0) { // a label or a line number
            before = before.getPrevious();
        }
        return before;
    }

    /**
     * Code that pushes the index, from 1, of the running mutant among {@code count} mutants, or 0 if it is none of
     * them.
     */
    static InsnList select(int first, int count) {
        InsnList code = new InsnList();
        code.add(new LdcInsnNode(first));
        code.add(new LdcInsnNode(count));
        code.add(new MethodInsnNode(Opcodes.INVOKESTATIC, SWITCH, "select", "(II)I"));
        return code;
    }

    /**
     * Code that replaces the operand of a branch: with mutant {@code first} the branch jumps, with the next one it
     * falls through.
     */
    static InsnList decide(int first, int opcode) {
        InsnList code = new InsnList();
        code.add(new LdcInsnNode(first));
        code.add(new LdcInsnNode(opcode));
        code.add(new MethodInsnNode(Opcodes.INVOKESTATIC, SWITCH, "decide", "(III)I"));
        return code;
    }
}
