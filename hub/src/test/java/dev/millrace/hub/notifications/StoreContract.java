package dev.millrace.hub.notifications;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.notifications.kept.NotificationStore;
import dev.millrace.hub.notifications.kept.NotificationsLayouts;
import dev.millrace.hub.notifications.kept.TransmissionStore;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.testing.Patience;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;

/** The ground of the tests without a hub: the stores on an empty Redis, no drift afterwards. */
abstract class StoreContract {
    @Parameter Site site;

    private Redis redis;
    protected Keyspace keyspace;
    protected NotificationStore notifications;
    protected TransmissionStore transmissions;

    String url() {
        return site.url();
    }

    @BeforeEach
    void open() {
        String url = url();
        SharedServers.flushAll();
        redis = Redis.open(Patience.options(url));
        keyspace = new Keyspace(redis, Keyspace.catalogue(NotificationsLayouts.all()));
        notifications = new NotificationStore(keyspace);
        transmissions = new TransmissionStore(keyspace);
    }

    @AfterEach
    void nothingHasDrifted() {
        try {
            assertThat(keyspace.check().run().findings()).isEmpty();
        } finally {
            redis.close();
        }
    }
}
