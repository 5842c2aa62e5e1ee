package dev.millrace.hub.notifications;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub;
import dev.millrace.keyspace.testing.SharedServers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The ground of the tests over HTTP: a hub on an empty Redis, and no drift afterwards. */
abstract class RoomContract {
    protected TestHub hub;

    /** Where the hub keeps its things. */
    abstract String url();

    String[] settings() {
        return new String[] {"notifications.max-results=50"};
    }

    @BeforeEach
    void start() {
        String url = url();
        SharedServers.flushAll();
        hub = TestHub.start(url, settings());
    }

    @AfterEach
    void nothingHasDrifted() {
        try {
            assertThat(hub.keyspace().check().run().findings()).isEmpty();
        } finally {
            hub.close();
        }
    }
}
