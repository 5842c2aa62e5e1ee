package dev.millrace.bench.readings;

import dev.millrace.bench.race.WholeHubMain;
import dev.millrace.hub.access.Access;
import dev.millrace.hub.access.AccessLayouts;
import dev.millrace.hub.access.AccessSettings;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.edgex.EdgexErrors;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Owner;
import dev.millrace.hub.http.Owners;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.http.RouteTable;
import dev.millrace.hub.http.server.HttpSettings;
import dev.millrace.hub.http.server.WebServer;
import dev.millrace.hub.readings.Readings;
import dev.millrace.hub.settings.Keys;
import dev.millrace.hub.settings.SettingsSources;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.options.RedisOptions;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A whole hub, and beside it in the same process, at a port of its own, the same server with a path
 * that reads an event just as the room does and leaves it at that.
 */
final class HubMain {
    /** The system property with that port. */
    static final String PORT = "bench.parse.port";

    static final String PARSE = "/bench/parse";

    /** As long as an id, so that the answers differ in nothing. */
    private static final String NO_ID = "00000000-0000-0000-0000-000000000000";

    private HubMain() {}

    public static void main(String[] args) {
        startParser(String.valueOf(System.getProperty(PORT)));
        WholeHubMain.main(args);
    }

    private static void startParser(String port) {
        HttpSettings settings =
                HttpSettings.BLOCK.read(
                        SettingsSources.read(
                                new Keys(List.of(HttpSettings.BLOCK.keys())),
                                Optional.empty(),
                                List.of("http.port=" + port),
                                Map.of()));
        Route parse =
                Route.post(PARSE)
                        .needs(Role.OPERATOR, "readings")
                        .about("Reads an event and leaves it at that.")
                        .promptlyBy(HubMain::parse);
        Owner edgex = Owner.compatible("edgex", new EdgexErrors()).silentOnMethods();
        // Both are closed again: a gate that lets everybody in has nothing to look up, and nothing
        // of this may go on beside the hub.
        try (Redis redis =
                        Redis.open(
                                RedisOptions.of(
                                        String.valueOf(System.getenv("MILLRACE_REDIS_URL"))));
                Access access =
                        Access.open(
                                new Keyspace(redis, Keyspace.catalogue(AccessLayouts.all())),
                                AccessSettings.defaults())) {
            WebServer.start(
                    settings,
                    new RouteTable(List.of(parse), new Owners(edgex)),
                    access.gate(),
                    new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
        }
    }

    private static CompletionStage<Answer> parse(Request request) {
        String device = Readings.deviceOf(request.body());
        return CompletableFuture.completedFuture(Answer.text(200, device.isEmpty() ? "" : NO_ID));
    }
}
