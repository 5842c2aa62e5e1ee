package dev.millrace.bench.commit;

import dev.millrace.bench.race.Contestant;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.options.Endpoint;
import dev.millrace.keyspace.redis.options.RedisOptions;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.ByteArrayCodec;

import java.util.List;

/** All contestants of this race, each with connections of its own. */
final class Contestants implements AutoCloseable {
    private final Redis engine;
    private final Redis handWritten;
    private final RedisClient lettuce;
    private final Redis plain;
    private final SpringData spring;
    private final List<Contestant> all;

    /**
     * @param lanes connections of each that goes through the engine's lanes; 0 for its default
     */
    Contestants(RedisOptions options, int lanes) {
        RedisOptions laned = lanes == 0 ? options : options.withLanes(lanes);
        engine = Redis.open(laned);
        handWritten = Redis.open(laned);
        lettuce = RedisClient.create(uri(options));
        plain = Redis.open(laned);
        spring = new SpringData(options);
        all =
                List.of(
                        new Contestant("a", "the engine", new Engine(engine)),
                        new Contestant(
                                "b",
                                "hand-written script, through the engine's lanes",
                                new HandWritten(handWritten)),
                        new Contestant(
                                "b2",
                                "the same script by Lettuce, one shared connection",
                                new HandWrittenByLettuce(lettuce.connect(ByteArrayCodec.INSTANCE))),
                        new Contestant(
                                "c",
                                "plain commands, not atomic, through the engine's lanes",
                                new Plain(plain)),
                        new Contestant(
                                "d", "Spring Data Redis repository, indexed fields", spring));
    }

    List<Contestant> all() {
        return all;
    }

    private static RedisURI uri(RedisOptions options) {
        Endpoint endpoint = options.endpoints().getFirst();
        RedisURI uri = RedisURI.create(endpoint.host(), endpoint.port());
        uri.setDatabase(options.database());
        uri.setCredentialsProvider(
                RedisCredentialsProvider.from(
                        () -> RedisCredentials.just(options.user(), options.password())));
        return uri;
    }

    @Override
    public void close() {
        engine.close();
        handWritten.close();
        lettuce.shutdown();
        plain.close();
        spring.close();
    }
}
