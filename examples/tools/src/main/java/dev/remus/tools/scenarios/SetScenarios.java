// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.scenarios;

import dev.remus.structures.spec.HalfRemovedScenario;
import dev.remus.structures.spec.HashMapClearScenario;
import dev.remus.structures.spec.HashMapCrowdedScenario;
import dev.remus.structures.spec.HashMapFullScenario;
import dev.remus.structures.spec.HashMapLeftScenario;
import dev.remus.structures.spec.HashMapLossScenario;
import dev.remus.structures.spec.HashMapScenario;
import dev.remus.structures.spec.HashMapToggleScenario;
import dev.remus.structures.spec.HashMapWalkScenario;
import dev.remus.structures.spec.ListMapWalkScenario;
import dev.remus.structures.spec.LonelySetScenario;
import dev.remus.structures.spec.MapScenario;
import dev.remus.structures.spec.Reuse;
import dev.remus.structures.spec.SetBreaksScenario;
import dev.remus.structures.spec.SetChurnScenario;
import dev.remus.structures.spec.SetCrowdScenario;
import dev.remus.structures.spec.SetLossScenario;
import dev.remus.structures.spec.SetScenario;
import dev.remus.structures.spec.SetTurnsScenario;
import dev.remus.structures.spec.TreeChurnScenario;
import dev.remus.structures.spec.TreeGrowthScenario;
import dev.remus.structures.spec.TreeHalfScenario;
import dev.remus.structures.spec.TreeHandle;
import dev.remus.structures.spec.TreeLoadScenario;
import dev.remus.structures.spec.TreeLossScenario;
import dev.remus.structures.spec.TreePairsScenario;
import dev.remus.structures.spec.TreeScenario;
import dev.remus.structures.spec.TreeSnapshotScenario;
import dev.remus.structures.spec.TreeTurnsScenario;
import dev.remus.structures.spec.TreeUncutScenario;
import dev.remus.structures.spec.UnblockedScenario;
import java.util.List;

/** The scenarios of sets and maps. */
final class SetScenarios {
    /** The capacity of the cache, smaller than the list, so that entries are evicted. */
    private static final int CACHED_NODES = 4;

    /** The capacity of a cache that keeps most of its entries. */
    private static final int MANY_CACHED_NODES = 64;

    /** All of them. */
    static final List<NamedScenario> ALL = List.of(
            new NamedScenario(
                    "lazylist",
                    "the lazy list is linearizable, even when memory is reused",
                    new Size(4, 8, 3),
                    s -> SetScenario.lazyList(s.threads(), s.operations(), s.keys(), true)),
            new NamedScenario(
                    "fastlist",
                    "the fast lazy list is linearizable, even when memory is reused",
                    new Size(4, 8, 3),
                    s -> SetScenario.fastLazyList(s.threads(), s.operations(), s.keys(), true)),
            new NamedScenario(
                    "cachedlist",
                    "the fast lazy list with a cache of four nodes is linearizable, even when memory is reused",
                    new Size(4, 8, 3),
                    s -> SetScenario.cachedLazyList(s.threads(), s.operations(), s.keys(), true, CACHED_NODES)),
            new NamedScenario(
                    "cachedlist-epochs",
                    "the fast lazy list with a cache is linearizable while its memory is reused by epochs",
                    new Size(4, 8, 3),
                    s -> SetScenario.cachedLazyList(s.threads(), s.operations(), s.keys(), false, MANY_CACHED_NODES)
                            .with(Reuse.EPOCHS)),
            new NamedScenario(
                    "cachedlist-turns",
                    "the cached list is right for handles that take turns, with old copies of reused nodes",
                    new Size(4, 8, 4),
                    s -> new SetTurnsScenario(SetScenario.cachedLazyList(
                            s.threads(), s.operations(), s.keys(), true, MANY_CACHED_NODES))),
            new NamedScenario(
                    "lazylist-short",
                    "the lazy list is linearizable in short runs, which allow more schedules",
                    new Size(4, 3, 2),
                    s -> SetScenario.lazyList(s.threads(), s.operations(), s.keys(), false)),
            new NamedScenario(
                    "fastlist-short",
                    "the fast lazy list is linearizable in short runs, which allow more schedules",
                    new Size(4, 3, 2),
                    s -> SetScenario.fastLazyList(s.threads(), s.operations(), s.keys(), false)),
            new NamedScenario(
                    "fastlist-crowd",
                    "each thread's own keys stay in the fast lazy list while all change the same nodes",
                    new Size(6, 6, 1),
                    s -> new SetCrowdScenario(SetScenario.fastLazyList(s.threads(), s.operations(), s.keys(), false))),
            new NamedScenario(
                    "widelist",
                    "the lazy list is linearizable with keys longer than a word",
                    new Size(4, 8, 3),
                    s -> SetScenario.wideLazyList(s.threads(), s.operations(), s.keys(), true)),
            new NamedScenario(
                    "widefastlist",
                    "the fast lazy list is linearizable with keys longer than a word",
                    new Size(4, 8, 3),
                    s -> SetScenario.wideFastLazyList(s.threads(), s.operations(), s.keys(), true)),
            new NamedScenario(
                    "lazylist-loss",
                    "lost nodes leave no node of the lazy list locked",
                    new Size(4, 6, 3),
                    s -> new SetLossScenario(SetScenario.lazyList(s.threads(), s.operations(), s.keys(), false))),
            new NamedScenario(
                    "fastlist-loss",
                    "lost nodes leave no node of the fast lazy list locked",
                    new Size(4, 6, 3),
                    s -> new SetLossScenario(SetScenario.fastLazyList(s.threads(), s.operations(), s.keys(), false))),
            new NamedScenario(
                    "cachedlist-loss",
                    "lost nodes leave no node of the cached list locked",
                    new Size(4, 6, 3),
                    s -> new SetLossScenario(
                            SetScenario.cachedLazyList(s.threads(), s.operations(), s.keys(), false, CACHED_NODES))),
            new NamedScenario(
                    "fastlist-alone",
                    "a single user of the fast lazy list never waits for itself when lanes break",
                    new Size(2, 12, 9),
                    s -> new LonelySetScenario(SetScenario.fastLazyList(s.threads(), s.operations(), s.keys(), false))),
            new NamedScenario(
                    "lazylist-breaks",
                    "repeatedly broken lanes leave no node of the lazy list locked",
                    new Size(4, 8, 3),
                    s -> new SetBreaksScenario(SetScenario.lazyList(s.threads(), s.operations(), s.keys(), false))),
            new NamedScenario(
                    "fastlist-breaks",
                    "repeatedly broken lanes leave no node of the fast lazy list locked",
                    new Size(4, 8, 3),
                    s -> new SetBreaksScenario(SetScenario.fastLazyList(s.threads(), s.operations(), s.keys(), false))),
            new NamedScenario(
                    "cachedlist-breaks",
                    "repeatedly broken lanes leave no node of the cached list locked",
                    new Size(4, 8, 3),
                    s -> new SetBreaksScenario(
                            SetScenario.cachedLazyList(s.threads(), s.operations(), s.keys(), false, CACHED_NODES))),
            new NamedScenario(
                    "lazylist-half",
                    "a half-removed node of the lazy list, left by a broken lane or a lost thread, blocks no thread",
                    new Size(4, 8, 3),
                    s -> HalfRemovedScenario.lazy(SetScenario.lazyList(s.threads(), s.operations(), s.keys(), true))),
            new NamedScenario(
                    "fastlist-half",
                    "a half-removed node of the fast lazy list, left by a broken lane or a lost thread, blocks no thread",
                    new Size(4, 8, 3),
                    s -> HalfRemovedScenario.fast(
                            SetScenario.fastLazyList(s.threads(), s.operations(), s.keys(), true))),
            new NamedScenario(
                    "cachedlist-half",
                    "a half-removed node of the cached list, left by a broken lane or a lost thread, blocks no thread",
                    new Size(4, 8, 3),
                    s -> HalfRemovedScenario.fast(
                            SetScenario.cachedLazyList(s.threads(), s.operations(), s.keys(), true, CACHED_NODES))),
            new NamedScenario(
                    "lockfreelist",
                    "the lock-free list is linearizable, even when memory is reused",
                    new Size(4, 8, 3),
                    s -> SetScenario.lockFreeList(s.threads(), s.operations(), s.keys(), true)),
            new NamedScenario(
                    "lockfreelist-short",
                    "the lock-free list is linearizable in short runs, which allow more schedules",
                    new Size(4, 3, 2),
                    s -> SetScenario.lockFreeList(s.threads(), s.operations(), s.keys(), false)),
            new NamedScenario(
                    "widelockfreelist",
                    "the lock-free list is linearizable with keys longer than a word",
                    new Size(4, 8, 3),
                    s -> SetScenario.wideLockFreeList(s.threads(), s.operations(), s.keys(), true)),
            new NamedScenario(
                    "lockfreelist-churn",
                    "the lock-free list retires what it removes: memory has room for a few nodes only",
                    new Size(2, 80, 2),
                    s -> new SetChurnScenario(SetScenario.lockFreeList(s.threads(), s.operations(), s.keys(), true))),
            new NamedScenario(
                    "lockfreelist-loss",
                    "lost threads and broken lanes block no other thread of the lock-free list",
                    new Size(4, 6, 2),
                    s -> new UnblockedScenario(SetScenario.lockFreeList(s.threads(), s.operations(), s.keys(), false))),
            new NamedScenario(
                    "lockfreemap",
                    "the map on the lock-free list is linearizable, even when memory is reused",
                    new Size(4, 8, 2),
                    s -> MapScenario.lockFreeList(s.threads(), s.operations(), s.keys(), true)),
            new NamedScenario(
                    "lockfreemap-walk",
                    "walks through the map without locks pass each key that is there all the time once",
                    new Size(4, 8, 2),
                    s -> new ListMapWalkScenario(s.threads(), s.operations(), s.keys(), Reuse.EPOCHS)),
            new NamedScenario(
                    "lockfreemap-loss",
                    "lost threads and broken lanes block no other thread of the map on the lock-free list",
                    new Size(4, 6, 2),
                    s -> new UnblockedScenario(MapScenario.lockFreeList(s.threads(), s.operations(), s.keys(), false))),
            new NamedScenario(
                    "map",
                    "the hash map is linearizable while its buckets are split, even when memory is reused",
                    new Size(4, 8, 6),
                    s -> HashMapScenario.growing(s.threads(), s.operations(), s.keys(), true)),
            new NamedScenario(
                    "map-collide",
                    "the hash map is linearizable when all keys share a bucket, whose slots are reused",
                    new Size(4, 8, 3),
                    s -> HashMapScenario.colliding(s.threads(), s.operations(), s.keys(), true)),
            new NamedScenario(
                    "map-texts",
                    "the hash map is linearizable with keys and values of different lengths",
                    new Size(4, 8, 6),
                    s -> HashMapScenario.texts(s.threads(), s.operations(), s.keys(), true)),
            new NamedScenario(
                    "map-batches",
                    "the hash map is linearizable when its values are looked up and set in batches",
                    new Size(4, 8, 4),
                    s -> HashMapScenario.batches(s.threads(), s.operations(), s.keys(), true)),
            new NamedScenario(
                    "map-walk",
                    "a walk through the hash map sees what it promises while buckets are split",
                    new Size(4, 12, 2),
                    s -> HashMapWalkScenario.walking(s.threads(), s.operations(), s.keys())),
            new NamedScenario(
                    "map-clear",
                    "clearing the hash map removes all keys that are there meanwhile, whatever others change",
                    new Size(4, 12, 2),
                    s -> HashMapWalkScenario.clearing(s.threads(), s.operations(), s.keys())),
            new NamedScenario(
                    "map-toggle",
                    "a walk through the hash map comes once to a key that is removed and put again meanwhile",
                    new Size(4, 40, 1),
                    s -> new HashMapToggleScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "map-full",
                    "threads that split a full bucket of the hash map at the same moment lose no key and no block",
                    new Size(4, 2, 4),
                    s -> HashMapFullScenario.splitting(s.threads(), s.operations(), s.keys())),
            new NamedScenario(
                    "map-full-batches",
                    "batches that split a full bucket of the hash map at the same moment lose no key and no block",
                    new Size(4, 3, 4),
                    s -> HashMapFullScenario.batches(s.threads(), s.operations(), s.keys())),
            new NamedScenario(
                    "map-full-key",
                    "threads that insert the same key into a full bucket of the hash map insert it once",
                    new Size(4, 4, 4),
                    s -> HashMapFullScenario.sameKey(s.threads(), s.operations(), s.keys())),
            new NamedScenario(
                    "map-full-walk",
                    "a walk through the hash map comes once to each key while full buckets are split",
                    new Size(4, 3, 7),
                    s -> HashMapFullScenario.walks(s.threads(), s.operations(), s.keys())),
            new NamedScenario(
                    "map-sections",
                    "threads that make the directory of the hash map at the same moment lose no part of it",
                    new Size(4, 4, 12),
                    s -> HashMapFullScenario.sections(s.threads(), s.operations(), s.keys())),
            new NamedScenario(
                    "map-deep",
                    "the hash map finds keys with many common bits, although parts of its directory are missing",
                    new Size(4, 3, 6),
                    s -> HashMapFullScenario.deep(s.threads(), s.operations(), s.keys())),
            new NamedScenario(
                    "map-clear-full",
                    "clearing a full bucket of the hash map removes its keys, while others split it and replace values",
                    new Size(4, 4, 6),
                    s -> new HashMapClearScenario(s.threads(), s.operations(), s.keys())),
            new NamedScenario(
                    "map-crowded",
                    "the hash map rejects a key of the same hash if its bucket is full, and only then",
                    new Size(4, 8, 1),
                    s -> new HashMapCrowdedScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "map-left",
                    "a split of a lost thread blocks no change of an entry of the hash map",
                    new Size(4, 6, 2),
                    s -> new HashMapLeftScenario(s.threads(), s.operations(), s.keys())),
            new NamedScenario(
                    "map-loss",
                    "a lost thread or broken lanes at any step of a split block no other thread of the hash map",
                    new Size(4, 8, 6),
                    s -> new HashMapLossScenario(
                            HashMapScenario.growing(s.threads(), s.operations(), s.keys(), false))),
            new NamedScenario(
                    "tree",
                    "the ordered map is linearizable, scans key by key, while its nodes are split",
                    new Size(4, 8, 8),
                    s -> TreeScenario.shipped(s.threads(), s.operations(), s.keys())),
            new NamedScenario(
                    "tree-merge",
                    "the ordered map is linearizable while its nodes become empty and their memory is reused",
                    new Size(4, 8, 8),
                    s -> TreeScenario.merging(s.threads(), s.operations(), s.keys())),
            new NamedScenario(
                    "tree-wide",
                    "the ordered map is linearizable with keys of several words, while its nodes are split",
                    new Size(4, 8, 8),
                    s -> TreeScenario.shipped(s.threads(), s.operations(), s.keys())
                            .wide()),
            new NamedScenario(
                    "treemap",
                    "the ordered map with values in blocks is linearizable, even when memory is reused",
                    new Size(4, 8, 3),
                    s -> MapScenario.tree(s.threads(), s.operations(), s.keys(), true)),
            new NamedScenario(
                    "treemap-long",
                    "the ordered map is linearizable when some values are longer than 4 KiB",
                    new Size(2, 4, 2),
                    s -> TreeScenario.shipped(s.threads(), s.operations(), s.keys())
                            .longValued()),
            new NamedScenario(
                    "tree-snapshot",
                    "snapshots of the ordered map are linearizable as one step",
                    new Size(4, 8, 4),
                    s -> new TreeSnapshotScenario(
                            new TreeScenario(s.threads(), s.operations(), s.keys(), 2, TreeHandle::shipped))),
            new NamedScenario(
                    "tree-pairs",
                    "a snapshot of the ordered map has no change of a leaf without those before it",
                    new Size(4, 6, 8),
                    s -> new TreePairsScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "tree-growth",
                    "the ordered map loses no key and no memory when several threads make its next root at once",
                    new Size(4, 4, 2),
                    s -> new TreeGrowthScenario(s.threads(), s.operations(), s.keys())),
            new NamedScenario(
                    "tree-churn",
                    "the ordered map gives all memory back when the same nodes are split and removed again and again",
                    new Size(4, 12, 4),
                    s -> new TreeChurnScenario(
                            new TreeScenario(s.threads(), s.operations(), s.keys(), 2, TreeHandle::shipped))),
            new NamedScenario(
                    "tree-turns",
                    "the ordered map is right for handles that take turns, with old copies and half changes of others",
                    new Size(4, 8, 8),
                    s -> new TreeTurnsScenario(
                            new TreeScenario(s.threads(), s.operations(), s.keys(), 2, TreeHandle::shipped))),
            new NamedScenario(
                    "tree-load",
                    "a bulk load of the ordered map is linearizable as one step",
                    new Size(4, 6, 5),
                    s -> new TreeLoadScenario(
                            new TreeScenario(s.threads(), s.operations(), s.keys(), 2, TreeHandle::shipped))),
            new NamedScenario(
                    "tree-loss",
                    "lost threads and broken lanes leave no node of the ordered map locked or half changed",
                    new Size(4, 6, 6),
                    s -> new TreeLossScenario(TreeScenario.shipped(s.threads(), s.operations(), s.keys()))),
            new NamedScenario(
                    "tree-uncut",
                    "no thread of the ordered map waits for ever for a lost one that is never cut off",
                    new Size(4, 8, 4),
                    s -> new TreeUncutScenario(TreeScenario.shipped(s.threads(), s.operations(), s.keys()))),
            new NamedScenario(
                    "tree-merge-loss",
                    "lost threads and broken lanes at any step of a removal leave the ordered map in order",
                    new Size(4, 6, 6),
                    s -> new TreeLossScenario(TreeScenario.merging(s.threads(), s.operations(), s.keys()))),
            new NamedScenario(
                    "tree-half",
                    "a split of the ordered map that a lost thread or broken lanes leave half done hides no key",
                    new Size(4, 3, 12),
                    s -> half(s, false)),
            new NamedScenario(
                    "tree-load-half",
                    "a bulk load of the ordered map that a lost thread leaves half done has all entries, or none",
                    new Size(4, 3, 12),
                    s -> half(s, true)));

    private static TreeHalfScenario half(Size size, boolean isNew) {
        return new TreeHalfScenario(
                new TreeScenario(size.threads(), size.operations(), size.keys(), 2, TreeHandle::shipped), isNew);
    }

    private SetScenarios() {}
}
