// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import java.util.List;
import java.util.stream.IntStream;

/** A Compute Node that is connected to a Memory Node. Any number of threads may use it, each with its own caller. */
final class TestClient {
    private final ComputeEndpoint endpoint;
    private final Link link;
    private final List<CompletionRouter> routers;

    TestClient(ComputeEndpoint endpoint, Link link) {
        this.endpoint = endpoint;
        this.link = link;
        this.routers = IntStream.range(0, link.lanes())
                .mapToObj(i -> new CompletionRouter(link.lane(i)))
                .toList();
    }

    ComputeEndpoint endpoint() {
        return endpoint;
    }

    Link link() {
        return link;
    }

    Lane lane(int i) {
        return link.lane(i);
    }

    RemoteSegment segment(int i) {
        return link.segment(i);
    }

    /** Blocking operations for one thread. Several may share a lane while no other code polls it. */
    Caller caller(int lane) {
        return new Caller(endpoint, link, routers.get(lane));
    }
}
