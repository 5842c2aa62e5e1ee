package dev.millrace.bench.live;

import dev.millrace.hub.access.Access;
import dev.millrace.hub.access.AccessLayouts;
import dev.millrace.hub.access.AccessSettings;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Owner;
import dev.millrace.hub.http.Owners;
import dev.millrace.hub.http.RouteTable;
import dev.millrace.hub.http.server.HttpSettings;
import dev.millrace.hub.http.server.WebServer;
import dev.millrace.hub.live.Live;
import dev.millrace.hub.live.LiveFeed;
import dev.millrace.hub.live.LiveSettings;
import dev.millrace.hub.settings.Keys;
import dev.millrace.hub.settings.SettingsSources;
import dev.millrace.hub.settings.Values;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.options.RedisOptions;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The hub of the benchmark, in a process of its own: the first line it is told is where Redis is,
 * the first it says is its port; {@code memory} makes it tell its heap and resident bytes.
 */
final class HubProcess {
    static final Topic TOPIC = Topic.named("bench-live");

    private HubProcess() {}

    public static void main(String[] args) throws IOException {
        BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Values values =
                SettingsSources.read(
                        new Keys(List.of(HttpSettings.BLOCK.keys(), LiveSettings.BLOCK.keys())),
                        Optional.empty(),
                        List.of("http.port=0"),
                        Map.of());
        SimpleMeterRegistry figures = new SimpleMeterRegistry();
        try (Redis redis = Redis.open(RedisOptions.of(String.valueOf(in.readLine())))) {
            Keyspace keyspace = new Keyspace(redis, Keyspace.catalogue(AccessLayouts.all()));
            LiveFeed feed = LiveFeed.of("bench", TOPIC, Role.VIEWER, "bench");
            try (Access access = Access.open(keyspace, AccessSettings.defaults());
                    Live live =
                            Live.open(
                                    keyspace,
                                    access.gate(),
                                    LiveSettings.BLOCK.read(values),
                                    figures,
                                    List.of(feed));
                    WebServer server =
                            WebServer.start(
                                    HttpSettings.BLOCK.read(values),
                                    new RouteTable(live.routes(), new Owners(Owner.own("hub"))),
                                    access.gate(),
                                    figures)) {
                System.out.println("ready " + server.port());
                while (in.readLine() != null) {
                    System.out.println("memory " + memory());
                }
            }
        }
    }

    private static String memory() throws IOException {
        System.gc();
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        long resident =
                Files.readAllLines(Path.of("/proc/self/status")).stream()
                        .filter(line -> line.startsWith("VmRSS:"))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                        .findFirst()
                        .orElse(0);
        return heap + " " + resident;
    }
}
