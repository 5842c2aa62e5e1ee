package dev.millrace.hub.pubsub;

import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.pubsub.config.PubsubSettings;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.Map;

/**
 * Is it alive, is it ready? As the reference answers: 200 or 500, and a body for people. While the
 * hub stops, readiness fails before it comes here ({@link PubsubErrors}), so that no more is sent
 * to it; liveness does not, or a hub that ends in good order would be killed for it.
 */
final class ProbeApi {
    private static final Logger log = LoggerFactory.getLogger(ProbeApi.class);

    private final PubsubSettings settings;
    private final Keyspace keyspace;

    ProbeApi(PubsubSettings settings, Keyspace keyspace) {
        this.settings = settings;
        this.keyspace = keyspace;
    }

    List<Route> routes() {
        String probe = settings.pathPrefix() + "/probe";
        return List.of(
                Route.get(probe + "/liveness")
                        .forAnyone()
                        .about("Whether this process need not be started anew.")
                        .alsoWhileStopping()
                        .by(this::liveness),
                Route.get(probe + "/readiness")
                        .forAnyone()
                        .about("Whether it can be sent requests: 500 while Redis does not answer.")
                        .by(this::readiness));
    }

    private Answer liveness(Request request) {
        return fine();
    }

    private Answer readiness(Request request) {
        try {
            keyspace.mustAnswer();
            return fine();
        } catch (RedisException e) {
            log.warn("Not ready: Redis does not answer. reason={}", e.getMessage());
            return failed();
        }
    }

    private Answer fine() {
        Map<String, Object> child = Map.of(settings.storageId(), Map.of());
        return PubsubErrors.json(200, Map.of("storage", Map.of("children", child)));
    }

    static Answer failed() {
        return PubsubErrors.json(500, Map.of("storage", Map.of()));
    }
}
