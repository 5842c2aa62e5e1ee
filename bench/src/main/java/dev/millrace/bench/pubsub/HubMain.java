package dev.millrace.bench.pubsub;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.millrace.hub.access.Access;
import dev.millrace.hub.access.AccessLayouts;
import dev.millrace.hub.access.AccessSettings;
import dev.millrace.hub.house.Chosen;
import dev.millrace.hub.house.House;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Owner;
import dev.millrace.hub.http.Owners;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.http.RouteTable;
import dev.millrace.hub.http.server.HttpSettings;
import dev.millrace.hub.http.server.WebServer;
import dev.millrace.hub.mqtt.Mqtt;
import dev.millrace.hub.outside.Outside;
import dev.millrace.hub.pubsub.Pubsub;
import dev.millrace.hub.pubsub.PubsubErrors;
import dev.millrace.hub.pubsub.channels.PubsubLayouts;
import dev.millrace.hub.pubsub.config.PubsubSettings;
import dev.millrace.hub.settings.Keys;
import dev.millrace.hub.settings.SettingsSources;
import dev.millrace.hub.settings.Values;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.options.Endpoint;
import dev.millrace.keyspace.redis.options.RedisOptions;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A hub with the room of message channels and nothing else, in a process of its own, and a path
 * beside the room that takes a body and does nothing. It says {@code ready PORT} once it serves and
 * ends when its standard input does.
 */
final class HubMain {
    /** The environment variable with the URL of Redis: a command line could be read by anybody. */
    static final String REDIS = "BENCH_REDIS_URL";

    /** And the one with its unix socket; empty if it is reached by TCP. */
    static final String SOCKET = "BENCH_REDIS_SOCKET";

    static final String EMPTY = "/bench/empty";

    private HubMain() {}

    public static void main(String[] args) throws IOException {
        System.setProperty("logback.configurationFile", "dev/millrace/bench/logback.xml");
        List<Declaration> declarations = new ArrayList<>(AccessLayouts.all());
        declarations.addAll(PubsubLayouts.all());
        Values values =
                SettingsSources.read(
                        new Keys(List.of(HttpSettings.BLOCK.keys(), PubsubSettings.BLOCK.keys())),
                        Optional.empty(),
                        List.of("http.port=0", "pubsub.admin.auth.bearer=[unused]"),
                        Map.of());
        Chosen settings = Chosen.read(List.of(PubsubSettings.BLOCK), values);
        PrometheusMeterRegistry figures = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        Redis redis = Redis.open(redis());
        Keyspace keyspace = new Keyspace(redis, Keyspace.catalogue(declarations));
        Access access = Access.open(keyspace, AccessSettings.defaults());
        Pubsub room = new Pubsub();
        room.start(
                new House(
                        "",
                        Path.of("data"),
                        keyspace,
                        settings,
                        figures,
                        Clock.systemUTC(),
                        access.gate(),
                        Mqtt.off(),
                        new Outside(),
                        (logger, level) -> {}));
        List<Route> routes = new ArrayList<>(room.routes());
        byte[] answer = "{\"channelID\":\"channel-10\",\"messageID\":\"m-1\"}\n".getBytes(US_ASCII);
        routes.add(
                Route.post(EMPTY)
                        .forAnyone()
                        .about("Takes a body and does nothing.")
                        .promptlyBy(
                                request ->
                                        CompletableFuture.completedFuture(
                                                Answer.bytes(200, "application/json", answer))));
        Owner owner =
                Owner.compatible("pubsub", new PubsubErrors(""))
                        .sending(settings.of(PubsubSettings.BLOCK).defaultHeaders());
        WebServer server =
                WebServer.start(
                        HttpSettings.BLOCK.read(values),
                        new RouteTable(routes, new Owners(owner)),
                        access.gate(),
                        figures);
        System.out.println("ready " + server.port());
        while (System.in.read() >= 0) {
            // Whatever is said, only the end of it counts.
        }
        System.exit(0);
    }

    private static RedisOptions redis() {
        RedisOptions byTcp = RedisOptions.of(String.valueOf(System.getenv(REDIS)));
        String socket = String.valueOf(System.getenv(SOCKET));
        if (socket.isEmpty()) {
            return byTcp;
        }
        Endpoint server = byTcp.endpoints().getFirst();
        return RedisOptions.of(
                new Endpoint(server.host(), server.port(), Path.of(socket)), byTcp.password());
    }
}
