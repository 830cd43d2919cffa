// SPDX-License-Identifier: Apache-2.0
package dev.remus.examples.service;

import java.time.Duration;

/**
 * What a node accepts, so that no client can take all of its memory or threads.
 *
 * @param keyBytes the longest key in bytes
 * @param bodyBytes the longest value in bytes
 * @param waiting how many requests may wait for a Compute Thread
 * @param requestTime how long a request may take, its wait included
 * @param drainTime how long a node that stops goes on serving, so that callers notice and go elsewhere
 */
record Limits(int keyBytes, int bodyBytes, int waiting, Duration requestTime, Duration drainTime) {}
