package dev.remus.tools.bench.transfers;

/**
 * How much goes through with several transfers outstanding.
 *
 * @param direction where the bytes go
 * @param bytes of each transfer
 * @param outstanding how many transfers
 * @param perSecond how many transfers were completed in a second
 */
record Bandwidth(Direction direction, int bytes, int outstanding, double perSecond) {
    double bytesPerSecond() {
        return perSecond * bytes;
    }
}
