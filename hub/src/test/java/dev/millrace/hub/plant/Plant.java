package dev.millrace.hub.plant;

import dev.millrace.hub.TestHub;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestServer;

/** A hub on a Redis that was empty, a client of it, and somebody else at the same Redis. */
final class Plant implements AutoCloseable {
    private final TestServer server = SharedServers.standalone();
    private final String[] settings;
    private TestHub hub;
    private Client client;

    private Plant(String... settings) {
        this.settings = settings.clone();
        hub = TestHub.start(server.url(), settings);
        client = new Client(hub.url());
    }

    static Plant empty(String... settings) {
        SharedServers.standalone();
        SharedServers.flushAll();
        return new Plant(settings);
    }

    Client client() {
        return client;
    }

    Somebody somebody() {
        return new Somebody(server);
    }

    TestHub hub() {
        return hub;
    }

    void stop() {
        client.close();
        hub.close();
    }

    void start() {
        hub = TestHub.start(server.url(), settings);
        client = new Client(hub.url());
    }

    @Override
    public void close() {
        stop();
    }
}
