package dev.remus.tools.mutants;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/** Pieces of byte code, and looking at it. */
final class Code {
    private static final String OURS = "dev/remus/";
    private static final String SWITCH = Type.getInternalName(Switch.class);

    private Code() {}

    /** Whether a method of this software is called. */
    static boolean isOurs(MethodInsnNode call) {
        return call.owner.startsWith(OURS);
    }

    /** The instruction before, null if there is none. */
    static AbstractInsnNode before(AbstractInsnNode instruction) {
        AbstractInsnNode before = instruction.getPrevious();
        while (before != null && before.getOpcode() < 0) { // a label or a line number
            before = before.getPrevious();
        }
        return before;
    }

    /** Puts on the stack which of some mutants runs: its number from 1, or 0 for none of them. */
    static InsnList select(int first, int count) {
        InsnList code = new InsnList();
        code.add(new LdcInsnNode(first));
        code.add(new LdcInsnNode(count));
        code.add(new MethodInsnNode(Opcodes.INVOKESTATIC, SWITCH, "select", "(II)I"));
        return code;
    }

    /** Changes what a branch looks at, if the mutant {@code first} runs, so that it jumps; if the next one runs, so that it does not. */
    static InsnList decide(int first, int jumps, int falls) {
        InsnList code = new InsnList();
        code.add(new LdcInsnNode(first));
        code.add(new LdcInsnNode(jumps));
        code.add(new LdcInsnNode(falls));
        code.add(new MethodInsnNode(Opcodes.INVOKESTATIC, SWITCH, "decide", "(IIII)I"));
        return code;
    }
}
