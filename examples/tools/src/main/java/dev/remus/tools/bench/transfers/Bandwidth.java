// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.transfers;

/**
 * The bandwidth with several transfers outstanding.
 *
 * @param direction the direction of the bytes
 * @param bytes the size of each transfer
 * @param outstanding the number of outstanding transfers
 * @param perSecond completed transfers per second
 */
record Bandwidth(Direction direction, int bytes, int outstanding, double perSecond) {
    double bytesPerSecond() {
        return perSecond * bytes;
    }
}
