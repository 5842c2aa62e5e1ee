package dev.millrace.hub.ops;

import dev.millrace.keyspace.redis.Durability;
import dev.millrace.keyspace.redis.ServerInfo;

import java.util.Map;
import java.util.Optional;

/** Whether a server is still what it was when the hub started: anybody may change it meanwhile. */
final class Promises {
    private Promises() {}

    /** What it does not keep any more, and what to type. */
    static Optional<String> broken(ServerInfo server, Durability durability) {
        if (!server.evictionPolicy().equals("noeviction")) {
            return Optional.of(
                    "It throws keys away when its memory is full (maxmemory-policy is %s). Type CONFIG SET maxmemory-policy noeviction in redis-cli."
                            .formatted(server.evictionPolicy()));
        }
        Map<String, String> fields = server.fields();
        return switch (durability) {
            case Durability.Memory memory -> Optional.empty();
            case Durability.Fsync fsync ->
                    fields.getOrDefault("aof_enabled", "1").equals("0")
                            ? Optional.of(
                                    "It keeps no append-only file any more, although durability is"
                                        + " fsync. Type CONFIG SET appendonly yes in redis-cli.")
                            : Optional.empty();
            case Durability.Replicas(int count) -> {
                int there = Integer.parseInt(fields.getOrDefault("connected_slaves", "0"));
                yield there < count
                        ? Optional.of(
                                "It has %d replicas, and durability is %s. Start the missing ones, or set durability to what there is."
                                        .formatted(there, durability))
                        : Optional.empty();
            }
        };
    }
}
