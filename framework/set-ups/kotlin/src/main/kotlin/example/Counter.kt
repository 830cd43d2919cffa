// SPDX-License-Identifier: Apache-2.0
package example

import dev.remus.config.ClusterConfig
import dev.remus.memory.RdmaPtr
import dev.remus.node.ComputeNode
import dev.remus.node.ComputeThread
import dev.remus.node.MemoryNode
import dev.remus.record.RemoteRecord

/** What all threads share. */
class Shared : RemoteRecord() {
    val count = longField()
}

/** A counter in remote memory: this thread's handle. */
class Counter(pointer: RdmaPtr<Shared>) {
    private val shared = Shared().apply { at(pointer) }

    /** Adds 1, and returns the count before. */
    fun increment(ct: ComputeThread): Long = shared.count.fetchAdd(1, ct)

    companion object {
        /** Creates a counter in remote memory. */
        fun create(ct: ComputeThread): RdmaPtr<Shared> {
            val shared = Shared()
            shared.allocate(ct)
            shared.count.store(0, ct)
            return RdmaPtr(shared.pointer())
        }

        /** Counts in four threads on shared memory. */
        @JvmStatic
        fun main(args: Array<String>) {
            val config = ClusterConfig.builder()
                .cluster("set-up-" + ProcessHandle.current().pid())
                .memoryNodes(0, 0)
                .computeNodes(0, 0)
                .threadsPerNode(4)
                .build()
            MemoryNode.start(config, 0).use {
                ComputeNode.connect(config, 0).use { compute ->
                    compute.runThreads { ct ->
                        if (ct.id() == 0) ct.root().set(create(ct))
                        ct.barrier()
                        val counter = Counter(ct.root().get<Shared>())
                        repeat(1000) { counter.increment(ct) }
                        ct.barrier()
                        if (ct.id() == 0) println("counted " + counter.increment(ct))
                        ct.barrier()
                    }
                }
            }
        }
    }
}
