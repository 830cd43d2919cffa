// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;
import dev.remus.record.Codecs;
import dev.remus.structures.spec.TreeHandle;

/** An ordered map with a flaw, which the simulator must find: the shipped one with one step replaced. */
final class FlawedTree {
    /** The mistakes. */
    enum Flaw {
        /** None. */
        NONE,
        /** A copy is used whose words are of different moments. */
        TORN_COPY_ACCEPTED,
        /** Seals do not cover the bounds, so that old bounds go together with new slots. */
        SEALS_WITHOUT_BOUNDS,
        /** Seals cover the first word of a bound only, so that the others may be of other moments. */
        SEALS_WITHOUT_LATER_WORDS,
        /** Keys whose first words are alike are taken for the same. */
        ONLY_FIRST_WORDS_COMPARED,
        /** A node is searched although the key was moved out of it. */
        FENCE_NOT_CHECKED,
        /** A seal is written before its entry. */
        SEAL_BEFORE_ENTRY,
        /** A node is released before the entry is written. */
        RELEASED_BEFORE_THE_WRITES,
        /** A node is READ before it is locked. */
        READ_BEFORE_THE_LOCK,
        /** A node that a lost thread left half changed stays as it is. */
        NOT_PUT_IN_ORDER,
        /** A node that was left half split keeps its upper bound. */
        LINK_NOT_ASKED,
        /** The left node leads to its new sibling before that is written. */
        LINK_BEFORE_NODE,
        /** A new node is linked from another Memory Node before it is placed. */
        UNPLACED_NODE_ACROSS_MEMORY_NODES,
        /** The left node loses the entries that move before it leads to their new place. */
        SLOTS_BEFORE_BOUNDS,
        /** A scan goes on with the leaf that the remembered parent names, as if no leaf had been split. */
        SCAN_FOLLOWS_THE_PARENT,
        /** The same of a descending scan. */
        DESCENDING_SCAN_FOLLOWS_THE_PARENT,
        /** A snapshot has no second round. */
        SNAPSHOT_WITHOUT_A_SECOND_ROUND,
        /** A removal does not renew the version. */
        VERSION_KEPT_BY_A_REMOVAL,
        /** A node that is gone is taken for the owner of its keys. */
        GONE_NODE_SEARCHED,
        /** A leaf is removed although an entry has come into it. */
        REMOVED_WITHOUT_A_SECOND_LOOK,
        /** A child that is gone is entered in its parent. */
        GONE_CHILD_ENTERED,
        /** A node is retired before its left neighbour leads past it. */
        RETIRED_BEFORE_UNLINKED,
        /** A handle does not ask whether the memory of nodes that its node remembers may be used again. */
        RETIRED_NODES_REMEMBERED,
        /** A handle asks, but uses copies that were made before. */
        OLDER_COPIES_USED,
        /** A node takes a map for an earlier one that had the same memory. */
        EARLIER_MAP_REMEMBERED,
        /** A bulk load does not notice entries that came while it built its nodes. */
        LOAD_NOT_CHECKED_UNDER_THE_LOCK,
        /** The loaded root becomes that of the map before the first leaf leads to the loaded ones. */
        LOADED_ROOT_BEFORE_THE_LINK,
        /** The first leaf leads to the loaded ones before these are written. */
        LINK_BEFORE_LOADED_NODES,
        /** The first leaf leads to the loaded ones before it names the loaded root. */
        LINK_BEFORE_LOADED_ROOT
    }

    private FlawedTree() {}

    static TreeHandle open(RdmaPtr<?> This, int rememberedNodes, Flaw flaw, ComputeThread ct) {
        TreeTable table = TreeTable.open(new RdmaPtr<>(This.raw()), ct);
        Access access = new Access(new Node(flaw, table.words(), table.entries(), ct), flaw, ct);
        Core core = new Core(table, cache(table, rememberedNodes, flaw, ct), access, flaw, ct);
        TreeScan scan = new TreeScan(core, table.entries(), ct) {
            @Override
            boolean follows(TreeNode leaf, TreeKey next) {
                return flaw == Flaw.SCAN_FOLLOWS_THE_PARENT || super.follows(leaf, next);
            }

            @Override
            boolean precedes(TreeNode leaf, TreeKey next) {
                return flaw == Flaw.DESCENDING_SCAN_FOLLOWS_THE_PARENT || super.precedes(leaf, next);
            }
        };
        TreeSnapshot snapshot = new TreeSnapshot(core, table.entries(), ct) {
            @Override
            boolean isUnchanged(ComputeThread thread) {
                return flaw == Flaw.SNAPSHOT_WITHOUT_A_SECOND_ROUND || super.isUnchanged(thread);
            }
        };
        Removal removal = new Removal(core, flaw, ct);
        if (table.words() == 1) {
            return TreeHandle.of(new LongLongTree(table, Long.MIN_VALUE, core, scan, snapshot, removal));
        }
        OrderedTree tree = new OrderedTree(table, TreeValues.NONE, core, scan, snapshot, removal);
        return TreeHandle.of(new RemoteTreeMap<>(tree, TreeHandle.wideKeys(), Encoding.of(Codecs.LONG), ct));
    }

    private static TreeCache cache(TreeTable table, int rememberedNodes, Flaw flaw, ComputeThread ct) {
        long stamp = flaw == Flaw.EARLIER_MAP_REMEMBERED ? 0 : table.stamp();
        return new TreeCache(table, stamp, rememberedNodes, ct) {
            @Override
            boolean isUsable(TreeBranch branch) {
                return flaw == Flaw.OLDER_COPIES_USED ? !branch.isForgotten() : super.isUsable(branch);
            }
        };
    }

    private static final class Node extends TreeNode {
        private final Flaw flaw;

        Node(Flaw flaw, int words, int slots, ComputeThread ct) {
            super(words, slots, ct);
            this.flaw = flaw;
        }

        @Override
        Node another(ComputeThread ct) {
            return new Node(flaw, words(), slots(), ct);
        }

        @Override
        boolean isWhole() {
            return flaw == Flaw.TORN_COPY_ACCEPTED || super.isWhole();
        }

        @Override
        boolean isGone() {
            return flaw != Flaw.GONE_NODE_SEARCHED && super.isGone();
        }

        @Override
        boolean owns(TreeKey key) {
            return flaw == Flaw.FENCE_NOT_CHECKED || super.owns(key);
        }

        @Override
        long salt() {
            return switch (flaw) {
                case SEALS_WITHOUT_BOUNDS -> 0;
                case SEALS_WITHOUT_LATER_WORDS -> high().word(0) ^ link() ^ (isGone() ? 1 : 0);
                default -> super.salt();
            };
        }

        @Override
        boolean hasKey(int slot, TreeKey key) {
            return flaw == Flaw.ONLY_FIRST_WORDS_COMPARED
                    ? key(slot, new TreeKey(words())).word(0) == key.word(0)
                    : super.hasKey(slot, key);
        }

        @Override
        void writeEntryIn(Sequence chain, int slot) {
            if (flaw == Flaw.SEAL_BEFORE_ENTRY) {
                writeVersionIn(chain);
                writeSealIn(chain, slot);
                writeWordsIn(chain, slot);
            } else {
                super.writeEntryIn(chain, slot);
            }
        }

        @Override
        void writeForwardingIn(Sequence chain) {
            if (flaw == Flaw.LINK_BEFORE_LOADED_ROOT) {
                writeBoundsIn(chain);
                writeSlotsIn(chain);
                writeWordsIn(chain, 0);
            } else {
                super.writeForwardingIn(chain);
            }
        }

        @Override
        void writeRemovalIn(Sequence chain, int slot) {
            if (flaw == Flaw.VERSION_KEPT_BY_A_REMOVAL) {
                writeSealIn(chain, slot);
            } else {
                super.writeRemovalIn(chain, slot);
            }
        }
    }

    private static final class Removal extends TreeRemoval {
        private final Flaw flaw;

        Removal(TreeCore core, Flaw flaw, ComputeThread ct) {
            super(core, ct);
            this.flaw = flaw;
        }

        @Override
        boolean isStillEmpty(TreeNode locked) {
            return flaw == Flaw.REMOVED_WITHOUT_A_SECOND_LOOK && locked.level() == 0 || super.isStillEmpty(locked);
        }

        @Override
        void retire(long at, ComputeThread ct) {
            if (flaw != Flaw.RETIRED_BEFORE_UNLINKED) {
                super.retire(at, ct);
            }
        }
    }

    private static final class Load extends TreeLoad {
        private final TreeTable This;
        private final TreeAccess access;
        private final Flaw flaw;
        private final ComputeThread ct;
        private boolean isLinked;

        Load(TreeTable This, TreeAccess access, Flaw flaw, ComputeThread ct) {
            super(This, access, ct);
            this.This = This;
            this.access = access;
            this.flaw = flaw;
            this.ct = ct;
        }

        @Override
        void flush() {
            if (flaw != Flaw.LINK_BEFORE_LOADED_NODES || isLinked) {
                super.flush();
            }
        }

        @Override
        void lockFirstLeaf() {
            if (flaw == Flaw.LOAD_NOT_CHECKED_UNDER_THE_LOCK) {
                access.lock(This.firstLeaf(), ct);
            } else {
                super.lockFirstLeaf();
            }
        }

        @Override
        void link(long root, long leaf) {
            if (flaw == Flaw.LOADED_ROOT_BEFORE_THE_LINK) {
                This.adopt(TreeTable.root(This.firstLeaf(), 0), root, ct);
            }
            super.link(root, leaf);
            isLinked = true;
            flush();
        }
    }

    private static final class Access extends TreeAccess {
        private final Flaw flaw;

        Access(TreeNode node, Flaw flaw, ComputeThread ct) {
            super(node, ct);
            this.flaw = flaw;
        }

        @Override
        void lockAndReadIn(Sequence chain, long at, long seen) {
            if (flaw == Flaw.READ_BEFORE_THE_LOCK) {
                node.readIn(chain, at);
                lockIn(chain, seen);
            } else {
                super.lockAndReadIn(chain, at, seen);
            }
        }

        @Override
        void executeAndRelease(Sequence chain, ComputeThread ct) {
            if (flaw == Flaw.RELEASED_BEFORE_THE_WRITES) {
                release(ct);
                chain.execute();
            } else {
                super.executeAndRelease(chain, ct);
            }
        }

        @Override
        void putInOrder(ComputeThread ct) {
            if (flaw != Flaw.NOT_PUT_IN_ORDER) {
                super.putInOrder(ct);
            }
        }

        @Override
        void narrowToLink(ComputeThread ct) {
            if (flaw == Flaw.LINK_NOT_ASKED) {
                node.bound(node.high());
            } else {
                super.narrowToLink(ct);
            }
        }
    }

    private static final class Core extends TreeCore {
        private final TreeTable This;
        private final TreeAccess access;
        private final Flaw flaw;

        Core(TreeTable This, TreeCache cache, TreeAccess access, Flaw flaw, ComputeThread ct) {
            super(This, cache, access, ct);
            this.This = This;
            this.access = access;
            this.flaw = flaw;
        }

        @Override
        boolean isGone(long child, ComputeThread ct) {
            return flaw != Flaw.GONE_CHILD_ENTERED && super.isGone(child, ct);
        }

        @Override
        void forgetRetired(ComputeThread ct) {
            if (flaw != Flaw.RETIRED_NODES_REMEMBERED) {
                super.forgetRetired(ct);
            }
        }

        @Override
        void unlink(long gone, TreeKey low, TreeKey high, long link, int level, ComputeThread ct) {
            if (flaw == Flaw.RETIRED_BEFORE_UNLINKED) {
                ct.schedReclaim(gone, makeNode(ct).bytes());
            } else {
                super.unlink(gone, low, high, link, level, ct);
            }
        }

        @Override
        TreeLoad makeLoad(ComputeThread ct) {
            return new Load(This, access, flaw, ct);
        }

        @Override
        void publish(TreeNode left, TreeNode right, long at, ComputeThread ct) {
            boolean isAcross = RdmaPtr.node(at) != RdmaPtr.node(left.pointer());
            switch (flaw) {
                case LINK_BEFORE_NODE -> {
                    narrow(left, right.low(), at, ct);
                    right.write(at, ct);
                }
                case UNPLACED_NODE_ACROSS_MEMORY_NODES -> {
                    Sequence chain = ct.sequence();
                    right.writeIn(chain, at);
                    if (isAcross) {
                        chain.post();
                        narrow(left, right.low(), at, ct);
                        ct.place(); // before its local memory is used again
                    } else {
                        executeLocked(chain, ct);
                        narrow(left, right.low(), at, ct);
                    }
                }
                case SLOTS_BEFORE_BOUNDS -> {
                    right.write(at, ct);
                    left.bound(right.low(), at);
                    Sequence chain = ct.sequence();
                    left.writeSlotsIn(chain);
                    left.writeBoundsIn(chain);
                    access.executeAndRelease(chain, ct);
                }
                default -> super.publish(left, right, at, ct);
            }
        }

        private void narrow(TreeNode left, TreeKey high, long link, ComputeThread ct) {
            left.bound(high, link);
            Sequence chain = ct.sequence();
            left.writeBoundsIn(chain);
            left.writeSlotsIn(chain);
            access.executeAndRelease(chain, ct);
        }
    }
}
