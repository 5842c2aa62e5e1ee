package dev.millrace.hub.site;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.ems.Trail;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.site.sync.Place;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Announcement;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.feed.Fact;
import dev.millrace.keyspace.feed.Feed;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.store.Cells;
import dev.millrace.keyspace.store.Held;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

/** Knows where these things are, and what the rooms have said about theirs. Thread-safe. */
public final class SiteKeys implements Site {
    /** Of each type. */
    static final int MOST_EVENTS = 1000;

    /** Changes of configuration that can be looked at and taken back. */
    static final int MOST_SNAPSHOTS = 50;

    private static final String DEAD_LETTER = "dead_letter";

    /** Alarms are told by themselves, and who changed what is not for everybody. */
    private static final List<String> TOLD =
            List.of(
                    "channel",
                    "control",
                    "model",
                    "service",
                    "config",
                    "rule",
                    "notification",
                    DEAD_LETTER);

    /** Of an element that cannot be used, in characters: enough to see what it was. */
    private static final int MOST_KEPT = 4096;

    /** In bytes; of a larger change, what came is left out, for the next one has it. */
    private static final int LARGEST_BOTH = 512 << 10;

    /** An owner in each shard. */
    private static final List<String> OF_SHARDS =
            IntStream.range(0, Shards.COUNT).mapToObj(SiteKeys::ownerIn).toList();

    /** How something is counted. */
    record Index(Layout<?> layout, String index) {}

    private final Map<Counted, Index> indexes = new ConcurrentHashMap<>();
    private final List<ConfigurationKind> kinds = new CopyOnWriteArrayList<>();
    private final List<Place> places = new CopyOnWriteArrayList<>();
    private volatile @Nullable Feed told;

    private static String ownerIn(int shard) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(Integer::toString)
                .filter(each -> Shards.shard(each) == shard)
                .findFirst()
                .orElseThrow();
    }

    /** An owner in every place where something of the site may lie. */
    static List<String> owners(Keyspace keyspace) {
        return keyspace.redis().cluster() ? OF_SHARDS : List.of(Declaration.SITE);
    }

    @Override
    public List<String> places(Keyspace keyspace) {
        return owners(keyspace);
    }

    @Override
    public List<ConfigurationKind> kinds() {
        return List.copyOf(kinds);
    }

    @Override
    public Map<String, String> settings(Keyspace keyspace) {
        return keyspace.cells().hash(SiteLayouts.SYSTEM_CONFIGURATION.at()).answer().or(Map.of());
    }

    Map<Counted, Index> indexes() {
        return indexes;
    }

    // ---------------------------------------------------------------- events

    /** From now on events are told to live clients. */
    void tell(Feed feed) {
        told = feed;
    }

    @Override
    public Map<String, Cell.Key> eventQueues(String owner) {
        Map<String, Cell.Key> queues = new LinkedHashMap<>();
        TOLD.forEach(type -> queues.put(type, SiteLayouts.events(owner, type)));
        return queues;
    }

    @Override
    public Optional<String> owner(Fact fact) {
        String owner = new String(fact.body(), UTF_8);
        return owner.isEmpty() ? Optional.empty() : Optional.of(owner);
    }

    @Override
    public void event(
            Commit commit, String owner, String type, Map<String, Object> event, Instant at) {
        Map<String, Object> whole = new LinkedHashMap<>(event);
        whole.putIfAbsent("timestamp", Long.toString(at.getEpochSecond()));
        String json = new String(Json.write(whole), UTF_8);
        Cell.Key queue = SiteLayouts.events(owner, type);
        commit.logIfList(
                        queue,
                        SiteLayouts.eventNumbers(owner, type),
                        "{\"seq\":",
                        whole.isEmpty() ? "}" : "," + json.substring(1),
                        MOST_EVENTS)
                .set(SiteLayouts.lastEvent(owner, type), json)
                .with(
                        Announcement.of(
                                SiteLayouts.lastEvent(owner, type),
                                SiteLayouts.eventChannel(type),
                                json));
        Feed feed = told;
        if (feed != null && TOLD.contains(type)) {
            commit.with(feed.fact(owner.getBytes(UTF_8)));
        }
    }

    @Override
    public void deadLetter(
            Commit commit, String owner, String queue, String element, String reason, Instant at) {
        Map<String, Object> letter = new LinkedHashMap<>();
        letter.put("queue", queue);
        letter.put("reason", reason);
        letter.put("element", element.substring(0, Math.min(element.length(), MOST_KEPT)));
        event(commit, owner, DEAD_LETTER, letter, at);
    }

    // ---------------------------------------------------------------- counts

    @Override
    public void size(Commit commit, String owner, Counted counted, Layout<?> layout, String index) {
        commit.sizeField(SiteLayouts.systemStatus(owner), word(counted), layout, index);
    }

    static String word(Counted counted) {
        return counted.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public void counts(Counted counted, Layout<?> layout, String index) {
        indexes.put(counted, new Index(layout, index));
    }

    @Override
    public Map<String, Object> status(Keyspace keyspace) {
        Cells cells = keyspace.cells();
        List<Cells.Question<Map<String, String>>> all = new ArrayList<>();
        for (String owner : owners(keyspace)) {
            all.add(cells.hash(SiteLayouts.systemStatus(owner)));
        }
        Map<String, Object> status = new LinkedHashMap<>();
        for (Counted each : Counted.values()) {
            long sum = 0;
            for (Cells.Question<Map<String, String>> one : all) {
                sum += number(one.answer().or(Map.of()).getOrDefault(word(each), ""));
            }
            status.put(word(each), sum);
        }
        status.put("config_version", number(version(keyspace).stored()));
        return status;
    }

    private static long number(String text) {
        return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
    }

    // ---------------------------------------------------------------- configuration

    @Override
    public void kind(ConfigurationKind kind) {
        kinds.add(kind);
    }

    @Override
    public void place(Place place) {
        places.add(place);
    }

    List<Place> places() {
        return List.copyOf(places);
    }

    @Override
    public Trail trail(Keyspace keyspace, InstantSource clock) {
        return new AuditTrail(keyspace, this, clock);
    }

    @Override
    public Version version(Keyspace keyspace) {
        return new Version(
                keyspace.cells().string(SiteLayouts.CONFIGURATION_VERSION.at()).answer().or(""));
    }

    @Override
    public void change(Commit commit, Version from, Change change, Instant at) {
        long next = from.next();
        commit.generation(SiteLayouts.CONFIGURATION_VERSION.at(), from.stored())
                .set(SiteLayouts.CONFIGURATION_VERSION.at(), Long.toString(next))
                .set(
                        SiteLayouts.CONFIGURATION_SNAPSHOT.at(Long.toString(next)),
                        snapshot(next, change, at));
        if (next > MOST_SNAPSHOTS) {
            commit.delete(
                    SiteLayouts.CONFIGURATION_SNAPSHOT.at(Long.toString(next - MOST_SNAPSHOTS)));
        }
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("type", change.after().isPresent() ? "changed" : "deleted");
        event.put("key", change.key());
        event.put("version", next);
        event.put("user", change.user());
        event(commit, Declaration.SITE, "config", event, at);
    }

    private static byte[] snapshot(long version, Change change, Instant at) {
        ObjectNode snapshot = Json.MAPPER.createObjectNode();
        snapshot.put("version", version);
        snapshot.put("timestamp", at.getEpochSecond());
        snapshot.put("user", change.user());
        ArrayNode changes = snapshot.putArray("changes");
        ObjectNode one = changes.addObject();
        one.put("key", change.key());
        change.before().ifPresentOrElse(old -> one.set("old", old), () -> one.putNull("old"));
        byte[] without = Json.write(snapshot);
        byte[] now = change.after().map(Json::write).orElseGet(() -> new byte[0]);
        if (without.length + now.length > LARGEST_BOTH) {
            one.put("new_left_out", true);
            return Json.write(snapshot);
        }
        change.after().ifPresentOrElse(after -> one.set("new", after), () -> one.putNull("new"));
        return Json.write(snapshot);
    }

    @Override
    public List<String> advice(Keyspace keyspace) {
        Cell.Key status = SiteLayouts.systemStatus(Declaration.SITE);
        Held<Map<String, String>> held = keyspace.cells().hash(status).answer();
        if (held instanceof Held.SomethingElse) {
            return List.of(
                    "%s holds something else than a hash. Delete it: each count comes back with the next change of what it counts."
                            .formatted(status.key()));
        }
        List<String> advice = new ArrayList<>();
        Map<String, String> counts = held.or(Map.of());
        for (Counted each : Counted.values()) {
            String name = word(each);
            String text = counts.getOrDefault(name, "0");
            if (!text.matches("[0-9]{1,18}")) {
                advice.add(
                        "%s says that %s is '%s', which is not a count. A hub that runs puts it right within half a minute."
                                .formatted(status.key(), name, text));
            }
        }
        return advice;
    }
}
