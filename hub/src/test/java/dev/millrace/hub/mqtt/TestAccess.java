package dev.millrace.hub.mqtt;

import dev.millrace.hub.access.Access;
import dev.millrace.hub.access.AccessLayouts;
import dev.millrace.hub.access.AccessSettings;
import dev.millrace.hub.access.Actor;
import dev.millrace.hub.access.Gate;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.access.Tokens;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.testing.Patience;
import dev.millrace.keyspace.testing.SharedServers;

import java.util.List;
import java.util.Optional;

/** Access as a hub has it. */
final class TestAccess implements AutoCloseable {
    private static final Actor TEST = new Actor("test", "test");

    private final Redis redis =
            Redis.open(Patience.options("redis://127.0.0.1:" + SharedServers.standalone().port()));
    private final Access access;

    TestAccess(AccessSettings.Mode mode) {
        access =
                Access.open(
                        new Keyspace(redis, Keyspace.catalogue(AccessLayouts.all())),
                        AccessSettings.defaults().withMode(mode));
    }

    Gate gate() {
        return access.gate();
    }

    String token(String name, Role role) {
        return access.tokens()
                .create(new Tokens.Wish(name, role, List.of(), Optional.empty()), TEST)
                .orThrow()
                .text();
    }

    void revoke(String token) {
        String id = token.split("_", -1)[1];
        access.tokens().revoke(id, TEST).orThrow();
    }

    @Override
    public void close() {
        access.close();
        redis.close();
    }
}
