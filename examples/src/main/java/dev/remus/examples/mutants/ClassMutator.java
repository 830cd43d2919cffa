package dev.remus.examples.mutants;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Puts mutants into a class. At each place where there can be some, the code first asks {@link Switch} which of them runs:
 *
 * <pre>
 *   arguments on the stack                          arguments on the stack
 *   invokevirtual RemoteLong.store        =>        switch (Switch.select(17, 1))
 *                                                     1: invokestatic Substitutes.store     mutant 17
 *                                                     0: invokevirtual RemoteLong.store
 *
 *   lcmp                                            lcmp
 *   ifne L                                =>        Switch.decide(outcome, 18, 1, 0)        mutant 18 jumps, 19 does not
 *                                                   ifne L
 * </pre>
 *
 * <p>What is replaced:
 *
 * <ul>
 *   <li>calls, by the {@link Substitutes}: a WRITE for a COMPARE_AND_SWAP, a store that is not placed, and so on;
 *   <li>comparisons of words, and answers of predicates, that a branch depends on: the branch is always taken, or never. A
 *       validation, a generation check or the result of a COMPARE_AND_SWAP is thus left out or answered wrongly. Not where
 *       one side only throws: that is how misuse is refused;
 *   <li>locking: not at all in a method, or released before one of the changes that the method makes.
 * </ul>
 */
final class ClassMutator {
    private static final String SWITCH = Type.getInternalName(Switch.class);
    private static final String SUBSTITUTES = Type.getInternalName(Substitutes.class);
    private static final String OURS = "dev/remus/";
    private static final String LOCK_DESCRIPTOR = "(Ldev/remus/node/ComputeThread;)V";
    private static final Set<String> ACQUIRING = Set.of("acquire", "lock");
    private static final Set<String> RELEASING = Set.of("release", "unlock");
    private static final Set<String> CHANGING =
            Set.of("store", "post", "write", "compareAndSet", "compareAndExchange", "compareAndSwap", "fetchAdd");

    /** These run while nobody else has the structure, or are for people who read messages. */
    private static final Set<String> LEFT_ALONE = Set.of(
            "<init>",
            "<clinit>",
            "create",
            "destroy",
            "toString",
            "describe",
            "state",
            "holder",
            "check",
            "checkedSize",
            "checkOpen");

    /** By name and descriptor of the method that it replaces. */
    private final Map<String, List<Method>> substitutes = new HashMap<>();

    private final List<Mutant> mutants = new ArrayList<>();
    private int sites;

    /** For the method that is being mutated, how often each call was seen. */
    private final Map<String, Integer> ordinals = new HashMap<>();

    private String className;

    ClassMutator() {
        for (Method method : Substitutes.class.getDeclaredMethods()) {
            Mutation mutation = method.getAnnotation(Mutation.class);
            if (mutation != null) {
                substitutes
                        .computeIfAbsent(mutation.of() + descriptorWithoutReceiver(method), key -> new ArrayList<>())
                        .add(method);
            }
        }
    }

    private static String descriptorWithoutReceiver(Method method) {
        Type[] all = Type.getArgumentTypes(method);
        Type[] others = new Type[all.length - 1];
        System.arraycopy(all, 1, others, 0, others.length);
        return Type.getMethodDescriptor(Type.getReturnType(method), others);
    }

    /** All mutants so far. */
    List<Mutant> mutants() {
        return mutants;
    }

    /** The class with its mutants. */
    byte[] mutate(byte[] code) {
        ClassNode node = new ClassNode();
        ClassReader reader = new ClassReader(code);
        reader.accept(node, ClassReader.SKIP_FRAMES);
        className = node.name.substring(node.name.lastIndexOf('/') + 1).replace('$', '.');
        ordinals.clear();
        for (MethodNode method : node.methods) {
            if (!LEFT_ALONE.contains(method.name)) {
                mutate(method);
            }
        }
        ClassWriter writer = new Frames();
        node.accept(writer);
        return writer.toByteArray();
    }

    private void mutate(MethodNode method) {
        AbstractInsnNode[] instructions = method.instructions.toArray();
        Locking locking = new Locking(method, instructions);
        for (AbstractInsnNode instruction : instructions) {
            if (instruction instanceof MethodInsnNode call) {
                mutateCall(method, call);
            } else if (instruction instanceof JumpInsnNode jump) {
                mutateBranch(method, jump);
            }
        }
        locking.mutate();
    }

    private String place(MethodNode method, String what) {
        String place = className + "." + method.name + ":" + what;
        return place + "-" + ordinals.merge(place, 1, Integer::sum);
    }

    /** Adds a mutant; those of one site have consecutive numbers. */
    private int add(String place, String mistake) {
        Mutant mutant = new Mutant(mutants.size() + 1, place + ":" + mistake, sites);
        mutants.add(mutant);
        return mutant.number();
    }

    // ---------------------------------------------------------------------------------------------- calls

    private void mutateCall(MethodNode method, MethodInsnNode call) {
        List<AbstractInsnNode> replacements = new ArrayList<>();
        List<String> mistakes = new ArrayList<>();
        for (Method substitute : substitutes.getOrDefault(call.name + call.desc, List.of())) {
            if (isCalledOn(call, substitute)) {
                replacements.add(new MethodInsnNode(
                        Opcodes.INVOKESTATIC, SUBSTITUTES, substitute.getName(), Type.getMethodDescriptor(substitute)));
                mistakes.add(substitute.getAnnotation(Mutation.class).name());
            }
        }
        if (call.owner.equals("dev/remus/node/FreeLists") && call.name.equals("defer")) {
            replacements.add(new MethodInsnNode(call.getOpcode(), call.owner, "put", call.desc));
            mistakes.add("freed-early");
        }
        if (!replacements.isEmpty()) {
            sites++;
            String place = place(method, call.name);
            int first = mutants.size() + 1;
            mistakes.forEach(mistake -> add(place, mistake));
            replace(method, call, first, replacements);
        }
    }

    private static boolean isCalledOn(MethodInsnNode call, Method substitute) {
        if (!call.owner.startsWith(OURS) || call.getOpcode() == Opcodes.INVOKESTATIC) {
            return false;
        }
        try {
            Class<?> owner = Class.forName(call.owner.replace('/', '.'), false, ClassMutator.class.getClassLoader());
            return substitute.getParameterTypes()[0].isAssignableFrom(owner);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void replace(
            MethodNode method, AbstractInsnNode original, int first, List<AbstractInsnNode> replacements) {
        LabelNode end = new LabelNode();
        LabelNode asItWas = new LabelNode();
        LabelNode[] labels = new LabelNode[replacements.size()];
        InsnList code = select(first, replacements.size());
        for (int i = 0; i < labels.length; i++) {
            labels[i] = new LabelNode();
        }
        code.add(new TableSwitchInsnNode(1, labels.length, asItWas, labels));
        for (int i = 0; i < labels.length; i++) {
            code.add(labels[i]);
            code.add(replacements.get(i));
            code.add(new JumpInsnNode(Opcodes.GOTO, end));
        }
        code.add(asItWas);
        method.instructions.insertBefore(original, code);
        method.instructions.insert(original, end);
    }

    private static InsnList select(int first, int count) {
        InsnList code = new InsnList();
        code.add(new LdcInsnNode(first));
        code.add(new LdcInsnNode(count));
        code.add(new MethodInsnNode(Opcodes.INVOKESTATIC, SWITCH, "select", "(II)I"));
        return code;
    }

    // ---------------------------------------------------------------------------------------------- branches

    private void mutateBranch(MethodNode method, JumpInsnNode jump) {
        AbstractInsnNode before = before(jump);
        String what;
        if (before != null && before.getOpcode() == Opcodes.LCMP) {
            what = "compare";
        } else if (before instanceof MethodInsnNode call && isPredicate(call)) {
            what = call.name;
        } else {
            return;
        }
        int[] outcomes = outcomes(jump.getOpcode());
        if (outcomes.length == 0 || leadsToThrow(jump.getNext()) || leadsToThrow(jump.label)) {
            return;
        }
        sites++;
        String place = place(method, what);
        int first = add(place, "jumps");
        add(place, "falls");
        InsnList code = new InsnList();
        code.add(new LdcInsnNode(first));
        code.add(new LdcInsnNode(outcomes[0]));
        code.add(new LdcInsnNode(outcomes[1]));
        code.add(new MethodInsnNode(Opcodes.INVOKESTATIC, SWITCH, "decide", "(IIII)I"));
        method.instructions.insertBefore(jump, code);
    }

    /** Whether this is where a misuse is refused, which no right program sees. */
    private static boolean leadsToThrow(AbstractInsnNode from) {
        AbstractInsnNode at = from;
        while (at != null && !(at instanceof JumpInsnNode) && at.getOpcode() != Opcodes.ATHROW) {
            boolean isReturn = at.getOpcode() >= Opcodes.IRETURN && at.getOpcode() <= Opcodes.RETURN;
            at = isReturn ? null : at.getNext();
        }
        return at != null && at.getOpcode() == Opcodes.ATHROW;
    }

    private static boolean isPredicate(MethodInsnNode call) {
        return call.owner.startsWith(OURS) && call.desc.endsWith(")Z");
    }

    /** With what on the stack a branch is taken, and with what it is not. */
    private static int[] outcomes(int opcode) {
        return switch (opcode) {
            case Opcodes.IFEQ -> new int[] {0, 1};
            case Opcodes.IFNE -> new int[] {1, 0};
            case Opcodes.IFLT -> new int[] {-1, 0};
            case Opcodes.IFGE -> new int[] {0, -1};
            case Opcodes.IFGT -> new int[] {1, 0};
            case Opcodes.IFLE -> new int[] {0, 1};
            default -> new int[0];
        };
    }

    private static AbstractInsnNode before(AbstractInsnNode instruction) {
        AbstractInsnNode before = instruction.getPrevious();
        while (before != null && before.getOpcode() < 0) { // a label or a line number
            before = before.getPrevious();
        }
        return before;
    }

    // ---------------------------------------------------------------------------------------------- locks

    /** The mutants of what a method does with a lock that it releases. */
    private final class Locking {
        private final MethodNode method;
        private final List<MethodInsnNode> acquiring = new ArrayList<>();
        private final List<MethodInsnNode> releasing = new ArrayList<>();

        /** What changes remote memory before the lock is released. */
        private final List<MethodInsnNode> changing = new ArrayList<>();

        Locking(MethodNode method, AbstractInsnNode[] instructions) {
            this.method = method;
            for (AbstractInsnNode instruction : instructions) {
                if (instruction instanceof MethodInsnNode call && call.owner.startsWith(OURS)) {
                    if (ACQUIRING.contains(call.name) && call.desc.equals(LOCK_DESCRIPTOR)) {
                        acquiring.add(call);
                    } else if (RELEASING.contains(call.name) && call.desc.equals(LOCK_DESCRIPTOR)) {
                        releasing.add(call);
                    } else if (CHANGING.contains(call.name) && releasing.isEmpty()) {
                        changing.add(call);
                    }
                }
            }
        }

        /** The instruction that loads the object whose lock is released, or null if it is not a plain load. */
        private List<AbstractInsnNode> loads() {
            List<AbstractInsnNode> loads = new ArrayList<>();
            int missing = 2; // the object and the Compute Thread
            for (AbstractInsnNode at = before(releasing.get(0)); missing > 0; at = before(at)) {
                if (at == null) {
                    return List.of();
                } else if (at.getOpcode() == Opcodes.ALOAD) {
                    missing--;
                } else if (at.getOpcode() != Opcodes.GETFIELD) {
                    return List.of();
                }
                loads.add(0, at);
            }
            return loads;
        }

        void mutate() {
            if (releasing.isEmpty()) {
                return;
            }
            List<AbstractInsnNode> loads = loads();
            int first = mutants.size() + 1;
            sites++;
            if (!acquiring.isEmpty()) {
                add(place(method, acquiring.get(0).name), "left-out");
                acquiring.forEach(call -> leaveOut(call, select(first, 1)));
                releasing.forEach(call -> leaveOut(call, select(first, 1)));
            }
            if (!loads.isEmpty() && !changing.isEmpty()) {
                int isReleased = method.maxLocals++;
                for (MethodInsnNode change : changing) {
                    int early = add(place(method, "before-" + change.name), "released-early");
                    releaseBefore(change, loads, early, isReleased);
                }
                releasing.forEach(call -> leaveOut(call, load(isReleased)));
                method.instructions.insert(set(isReleased, Opcodes.ICONST_0));
            }
        }

        private InsnList load(int variable) {
            InsnList code = new InsnList();
            code.add(new VarInsnNode(Opcodes.ILOAD, variable));
            return code;
        }

        private InsnList set(int variable, int value) {
            InsnList code = new InsnList();
            code.add(new InsnNode(value));
            code.add(new VarInsnNode(Opcodes.ISTORE, variable));
            return code;
        }

        /** @param code puts on the stack whether to leave it out */
        private void leaveOut(MethodInsnNode call, InsnList code) {
            LabelNode asItWas = new LabelNode();
            LabelNode end = new LabelNode();
            code.add(new JumpInsnNode(Opcodes.IFEQ, asItWas));
            code.add(new InsnNode(Opcodes.POP2));
            code.add(new JumpInsnNode(Opcodes.GOTO, end));
            code.add(asItWas);
            method.instructions.insertBefore(call, code);
            method.instructions.insert(call, end);
        }

        private void releaseBefore(MethodInsnNode change, List<AbstractInsnNode> loads, int number, int isReleased) {
            MethodInsnNode release = releasing.get(0);
            LabelNode asItWas = new LabelNode();
            InsnList code = select(number, 1);
            code.add(new JumpInsnNode(Opcodes.IFEQ, asItWas));
            loads.forEach(load -> code.add(load.clone(Map.of())));
            code.add(new MethodInsnNode(release.getOpcode(), release.owner, release.name, release.desc, release.itf));
            code.add(set(isReleased, Opcodes.ICONST_1));
            code.add(asItWas);
            method.instructions.insertBefore(change, code);
        }
    }

    /** Finds common superclasses among the classes as they were. */
    private static final class Frames extends ClassWriter {
        Frames() {
            super(ClassWriter.COMPUTE_FRAMES);
        }

        @Override
        protected ClassLoader getClassLoader() {
            return ClassMutator.class.getClassLoader();
        }
    }
}
