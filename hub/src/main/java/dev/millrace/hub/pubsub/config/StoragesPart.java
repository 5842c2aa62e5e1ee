package dev.millrace.hub.pubsub.config;

import dev.millrace.hub.settings.Section;
import dev.millrace.hub.settings.Tree;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the configuration says about storages. Of all of it only the name of the one storage counts:
 * {@code redis.url} says where Redis is, and several of them are a matter of Sentinel or Cluster.
 *
 * @param redis the addresses of the Redis that is used; none if it is embedded
 */
record StoragesPart(List<String> redis, List<String> warnings) {
    private static final Set<String> TUNING =
            Set.of("scriptReloadInterval", "timeout", "retry", "connection", "db", "tls");

    /** The name of the storage, if one is configured. */
    Optional<String> id(Section root) {
        Map<String, Section> storages = root.namedSections("storages");
        if (storages.size() > 1) {
            root.problem(
                    "storages",
                    "There are %d storages; one Redis keeps everything here. Keep one of them, and"
                                    .formatted(storages.size())
                            + " use Sentinel or Cluster for a Redis that survives its server.");
        }
        storages.forEach(this::read);
        return storages.keySet().stream()
                .findFirst()
                .filter(id -> isId(root.section("storages"), id));
    }

    private static boolean isId(Section storages, String id) {
        try {
            PubsubSettings.id(id);
            return true;
        } catch (IllegalArgumentException e) {
            storages.problem(id, String.valueOf(e.getMessage()));
            return false;
        }
    }

    private void read(String id, Section storage) {
        boolean inMemory = storage.has("onmemory");
        boolean inRedis = storage.has("redis");
        if (storage.names().contains("onmemory") && storage.names().contains("redis")) {
            storage.problem("redis", "A storage is one of onmemory and redis, not both.");
        } else if (storage.names().contains("onmemory")) {
            inMemory(id, storage.section("onmemory"));
        } else if (inRedis) {
            redis(id, storage.section("redis"));
        } else if (!inMemory) {
            storage.problem("redis", "A storage is one of onmemory and redis.");
        }
        storage.end();
    }

    private void inMemory(String id, Section section) {
        section.yesOrNo("__disablePubSub");
        section.yesOrNo("__disableJwt");
        section.yesOrNo("__runGcOnShutdown");
        section.end();
        warnings.add(
                "storages.%s is kept in Redis, not in memory only: messages survive a restart."
                        .formatted(id));
    }

    private void redis(String id, Section section) {
        List<String> given = new ArrayList<>();
        int ways = 0;
        if (section.has("singleNode")) {
            ways++;
            given.add(section.text("singleNode"));
        }
        if (section.has("cluster")) {
            ways++;
            given.addAll(section.list("cluster", Tree.Plain::text));
        }
        if (section.has("sentinel")) {
            ways++;
            Section sentinel = section.section("sentinel");
            sentinel.text("master");
            given.addAll(sentinel.list("nodes", Tree.Plain::text));
            sentinel.text("username");
            sentinel.text("password");
            sentinel.end();
        }
        if (ways != 1) {
            section.problem("singleNode", "Name exactly one of singleNode, cluster and sentinel.");
        }
        section.text("username");
        section.text("password");
        boolean noPubsub = section.yesOrNo("disablePubSub");
        boolean noJwt = section.yesOrNo("disableJwt");
        tuning(id, section);
        section.end();
        compare(id, given);
        if (noPubsub || noJwt) {
            warnings.add(
                    "storages.%s.disablePubSub and disableJwt are not used: the one storage does both."
                            .formatted(id));
        }
    }

    private void tuning(String id, Section section) {
        Set<String> given = new TreeSet<>(section.names());
        given.retainAll(TUNING);
        AllowedValues rules = new AllowedValues(section);
        rules.number("db", 0, 0);
        rules.positive("scriptReloadInterval", Duration.ofMinutes(5));
        section.ignore("tls");
        Section timeout = section.section("timeout");
        for (String name : List.of("connect", "read", "write")) {
            new AllowedValues(timeout).positive(name, Duration.ofSeconds(5));
        }
        timeout.end();
        Section retry = section.section("retry");
        new AllowedValues(retry).number("count", 3, 0);
        new AllowedValues(retry).positive("interval", Duration.ofMillis(500));
        new AllowedValues(retry).notNegative("intervalJitter", Duration.ofMillis(200));
        retry.end();
        Section connection = section.section("connection");
        new AllowedValues(connection).number("max", 1024, 1);
        new AllowedValues(connection).number("min", 16, 0);
        new AllowedValues(connection).positive("maxIdleTime", Duration.ofMinutes(5));
        connection.end();
        if (!given.isEmpty()) {
            warnings.add(
                    "storages.%s: %s not used; redis.url and the settings beside it say how Redis is reached."
                            .formatted(
                                    id,
                                    String.join(", ", given)
                                            + (given.size() == 1 ? " is" : " are")));
        }
    }

    private void compare(String id, List<String> given) {
        if (!redis.containsAll(given)) {
            warnings.add(
                    "storages.%s is at %s, but redis.url says %s, and that counts."
                            .formatted(
                                    id,
                                    String.join(", ", given),
                                    redis.isEmpty()
                                            ? "the embedded Redis"
                                            : String.join(", ", redis)));
        }
    }
}
