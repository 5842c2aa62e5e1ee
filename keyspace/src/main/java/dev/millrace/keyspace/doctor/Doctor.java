package dev.millrace.keyspace.doctor;

import dev.millrace.keyspace.redis.OwnConnection;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.options.Durability;
import dev.millrace.keyspace.redis.options.Endpoint;
import dev.millrace.keyspace.redis.outcome.RedisException;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Is this Redis safe and suitable? Looks at every server that holds data ({@link DoctorVisit}) and
 * at the sentinels, and says in sentences what it found and what to type. It changes nothing.
 */
public final class Doctor {
    private final Redis redis;
    private final InstantSource clock;
    private Durability durability = new Durability.Memory();
    private Optional<Remedies> embedded = Optional.empty();

    public Doctor(Redis redis, InstantSource clock) {
        this.redis = redis;
        this.clock = clock;
    }

    /** How bad it is. */
    public enum Level {
        GOOD,
        WARNING,
        BAD
    }

    /**
     * One thing that was looked at.
     *
     * @param server which one, as host:port
     * @param sentence what was found
     * @param type what to type to mend it; empty if nothing needs mending or typing does not help
     */
    public record Advice(Level level, String server, String sentence, String type) {}

    /** What an acknowledgement is to mean; memory if nothing is said. */
    public Doctor expecting(Durability wanted) {
        durability = wanted;
        return this;
    }

    /**
     * What a person types to change an embedded server, which takes its configuration from the
     * program that starts it.
     */
    public interface Remedies {
        /** So that every write is on the disk before it is acknowledged. */
        String syncAlways();

        /** So that its data may take so many bytes. */
        String memory(long bytes);
    }

    /** It is an embedded server, which is configured only by the program that starts it. */
    public Doctor ofEmbedded(Remedies remedies) {
        embedded = Optional.of(remedies);
        return this;
    }

    /** Everything that was found, server by server. */
    public List<Advice> examine() {
        List<Advice> advice = new ArrayList<>();
        for (Endpoint server : redis.primaries()) {
            try (OwnConnection connection = redis.own(server)) {
                advice.addAll(
                        new DoctorVisit(server, connection, clock, durability, embedded).look());
            } catch (RedisException e) {
                advice.add(
                        new Advice(
                                Level.BAD,
                                server.address(),
                                "It cannot be examined: " + e.getMessage(),
                                ""));
            }
        }
        redis.sentinelViews()
                .forEach(
                        (sentinel, trouble) ->
                                advice.add(
                                        new Advice(
                                                trouble.isEmpty() ? Level.GOOD : Level.BAD,
                                                sentinel.address(),
                                                trouble.isEmpty()
                                                        ? "This sentinel and enough others can"
                                                                + " choose another primary."
                                                        : "This sentinel cannot bring about a"
                                                                + " failover: "
                                                                + trouble,
                                                "")));
        return advice;
    }
}
