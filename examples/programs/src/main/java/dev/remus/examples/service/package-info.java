// SPDX-License-Identifier: Apache-2.0
/**
 * A service: a map in remote memory behind an HTTP front, to read and to change into a service of one's own.
 *
 * <pre>
 *   HTTP ---&gt; Front: routes, limits, answers ---&gt; ThreadPool: Compute Threads ---&gt; RemoteHashMap
 *               |                                                          in remote memory,
 *             Health: starting, serving, stopping, failed                   the same for all nodes
 *             Meters: what Prometheus reads
 * </pre>
 *
 * <p>{@code ServiceNode} is one Compute Node with its front, from start to graceful stop. {@code ServiceCommand} runs
 * nodes as processes, and {@code LocalService} keeps those of one machine running. The package {@code load} puts load
 * on a service, kills and restarts its nodes, and judges all answers.
 *
 * <p>To serve something else, change {@code KeyRequests} and {@code SharedMap}: the first turns a request into an
 * operation, the second makes the structure. For a structure of another class, its type in {@code ThreadPool} and the
 * count of entries in {@code Meters} change too.
 */
@NullMarked
package dev.remus.examples.service;

import org.jspecify.annotations.NullMarked;
