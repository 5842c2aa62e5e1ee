package dev.millrace.bench.readings;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.access.Access;
import dev.millrace.hub.access.AccessLayouts;
import dev.millrace.hub.access.AccessSettings;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.edgex.EdgexErrors;
import dev.millrace.hub.house.Chosen;
import dev.millrace.hub.house.House;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Owner;
import dev.millrace.hub.http.Owners;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.http.RouteTable;
import dev.millrace.hub.http.server.HttpSettings;
import dev.millrace.hub.http.server.WebServer;
import dev.millrace.hub.mqtt.Mqtt;
import dev.millrace.hub.outside.Outside;
import dev.millrace.hub.readings.Readings;
import dev.millrace.hub.readings.ReadingsSettings;
import dev.millrace.hub.readings.kept.ReadingsLayouts;
import dev.millrace.hub.settings.Keys;
import dev.millrace.hub.settings.SettingsSources;
import dev.millrace.hub.settings.Values;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.options.RedisOptions;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A hub with the room of readings and nothing else, in a process of its own, and a path beside the
 * room that reads an event just as the room does and leaves it at that. It says {@code ready PORT}
 * once it serves; a line {@code memory} makes it say {@code memory BYTES}, of its heap after
 * cleaning up; it ends when its standard input does.
 */
final class HubMain {
    /** The environment variable with the URL of Redis: a command line could be read by anybody. */
    static final String REDIS = "BENCH_REDIS_URL";

    static final String PARSE = "/bench/parse";

    /** As long as an id, so that the answers differ in nothing. */
    private static final String NO_ID = "00000000-0000-0000-0000-000000000000";

    private HubMain() {}

    public static void main(String[] args) throws IOException {
        System.setProperty("logback.configurationFile", "dev/millrace/bench/logback.xml");
        List<Declaration> declarations = new ArrayList<>(AccessLayouts.all());
        declarations.addAll(ReadingsLayouts.all());
        Values values =
                SettingsSources.read(
                        new Keys(List.of(HttpSettings.BLOCK.keys(), ReadingsSettings.BLOCK.keys())),
                        Optional.empty(),
                        // Nothing may go while it is measured.
                        List.of(
                                "http.port=0",
                                "readings.keep-count=off",
                                "readings.keep-bytes=off"),
                        Map.of());
        PrometheusMeterRegistry figures = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        Redis redis = Redis.open(RedisOptions.of(String.valueOf(System.getenv(REDIS))));
        Keyspace keyspace = new Keyspace(redis, Keyspace.catalogue(declarations));
        Access access = Access.open(keyspace, AccessSettings.defaults());
        Readings room = new Readings();
        room.start(
                new House(
                        "",
                        keyspace,
                        Chosen.read(List.of(ReadingsSettings.BLOCK), values),
                        figures,
                        Clock.systemUTC(),
                        access.gate(),
                        Mqtt.off(),
                        new Outside(),
                        (logger, level) -> {}));
        List<Route> routes = new ArrayList<>(room.routes());
        routes.add(
                Route.post(PARSE)
                        .needs(Role.OPERATOR, "readings")
                        .about("Reads an event and leaves it at that.")
                        .promptlyBy(HubMain::parse));
        Owner edgex = Owner.compatible("edgex", new EdgexErrors()).silentOnMethods();
        WebServer server =
                WebServer.start(
                        HttpSettings.BLOCK.read(values),
                        new RouteTable(routes, new Owners(edgex)),
                        access.gate(),
                        figures);
        System.out.println("ready " + server.port());
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        while (in.readLine() != null) {
            System.out.println("memory " + heap());
        }
        System.exit(0);
    }

    private static CompletionStage<Answer> parse(Request request) {
        String device = Readings.deviceOf(request.body());
        return CompletableFuture.completedFuture(Answer.text(200, device.isEmpty() ? "" : NO_ID));
    }

    private static long heap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
