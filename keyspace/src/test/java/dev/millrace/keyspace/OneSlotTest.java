package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.Plant.Alarm;
import dev.millrace.keyspace.Plant.Document;
import dev.millrace.keyspace.Plant.Event;
import dev.millrace.keyspace.Plant.Notice;
import dev.millrace.keyspace.Plant.Point;
import dev.millrace.keyspace.Plant.Reader;
import dev.millrace.keyspace.Plant.Reading;
import dev.millrace.keyspace.Plant.Rule;
import dev.millrace.keyspace.Plant.Session;
import dev.millrace.keyspace.Plant.Tank;
import dev.millrace.keyspace.Plant.Ticket;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Homes;
import dev.millrace.keyspace.commit.Operation;
import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.pattern.KeyPattern;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.Script;
import dev.millrace.keyspace.redis.Slots;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;

/**
 * The keys of any commit share one slot: for every registered layout with random entities in each
 * role (create, put, replace, delete, move), for every cell, and for the engine's own keys beside
 * them. And if that were ever wrong, the server itself would refuse the commit.
 */
final class OneSlotTest {
    private static Redis redis;
    private static Keyspace keyspace;

    private final Random random = new Random(64);

    /** One random entity for each layout; the id and the owner may be anything that is allowed. */
    private final Map<Layout<?>, Function<String, Object>> entities = new HashMap<>();

    OneSlotTest() {
        entities.put(Plant.EVENTS, id -> new Event(id, text(), random.nextLong(), number()));
        entities.put(Plant.READINGS, id -> new Reading(id, text(), text(), number(), text()));
        entities.put(Plant.NOTICES, id -> new Notice(id, text(), text(), List.of(text(), text())));
        entities.put(Plant.RULES, id -> new Rule(name(), text(), name(), 1.5, true));
        entities.put(Plant.ALARMS, id -> new Alarm(name(), "active", text()));
        entities.put(Plant.DOCUMENTS, id -> new Document(name() + ":" + name(), text()));
        entities.put(Plant.POINTS, id -> new Point(name(), name(), 1.5, text(), 1L));
        entities.put(Plant.TANKS, id -> new Tank(name(), random.nextGaussian()));
        entities.put(Plant.READERS, id -> new Reader(id, text(), text()));
        entities.put(Plant.SESSIONS, id -> new Session(name(), text()));
        entities.put(Plant.TICKETS, id -> new Ticket(text().replaceAll("[{}]", "-"), text()));
    }

    @BeforeAll
    static void connect() {
        redis = Site.CLUSTER.connect();
        keyspace = new Keyspace(redis, Plant.CATALOGUE);
    }

    @AfterAll
    static void close() {
        redis.close();
    }

    /** Words that try to look like hash tags, prefixes and separators. */
    private String text() {
        String[] parts = {"{", "}", "{}", "{iv9}", "}{", ":", "a", "Z", "ü", "0", " ", "{x}y"};
        StringBuilder text = new StringBuilder("t");
        for (int i = random.nextInt(6); i >= 0; i--) {
            text.append(parts[random.nextInt(parts.length)]);
        }
        return text.toString();
    }

    private String name() {
        return "n" + Integer.toString(random.nextInt(1_000_000), 36);
    }

    private long number() {
        return random.nextInt(5);
    }

    private String id(String owner) {
        return random.nextBoolean()
                ? Shards.mint(owner)
                : "%024x".formatted(random.nextLong() >>> 1);
    }

    private static void sharesOneSlot(Commit commit) {
        Set<Integer> slots = new HashSet<>();
        List<byte[]> all = new ArrayList<>();
        commit.with(basket -> all.addAll(List.of(basket.keys())));
        byte[][] keys = all.toArray(byte[][]::new);
        for (byte[] key : keys) {
            slots.add(Slots.of(key));
        }
        assertThat(slots).as(() -> words(keys)).hasSize(1);
    }

    private static String words(byte[][] keys) {
        List<String> words = new ArrayList<>();
        for (byte[] key : keys) {
            words.add(new String(key, UTF_8));
        }
        return words.toString();
    }

    @Test
    void there_is_an_entity_for_every_registered_layout() {
        assertThat(entities.keySet())
                .containsExactlyInAnyOrderElementsOf(Plant.CATALOGUE.layouts());
    }

    @Test
    void the_keys_of_any_commit_of_any_layout_share_one_slot() {
        entities.forEach(
                (layout, entity) -> {
                    for (int i = 0; i < 400; i++) {
                        everyCommitOf(layout, entity);
                    }
                });
    }

    @SuppressWarnings("unchecked") // the map pairs each layout with its own entities
    private <E> void everyCommitOf(Layout<E> layout, Function<String, Object> random) {
        E first = (E) random.apply(id(text()));
        String id = layout.mapping().idOf(layout.mapping().key(first));
        E second = changed(layout, first, id, random);
        Place place = placeOf(layout, first);
        Stored<E> stored = new Stored<>(id, first, layout.mapping().encode(first, null), place);
        sharesOneSlot(keyspace.ground().commit(place).create(layout, first));
        sharesOneSlot(keyspace.ground().commit(place).delete(layout, stored));
        sharesOneSlot(keyspace.ground().commit(place).replace(layout, stored, first));
        if (layout.mapping().indexedByKeyAlone() && layout.mapping().ownerInKey()) {
            sharesOneSlot(keyspace.ground().commit(place).put(layout, first));
        }
        if (placeOf(layout, second).together(place)) {
            sharesOneSlot(keyspace.ground().commit(place).replace(layout, stored, second));
        } else {
            assertThatThrownBy(
                            () -> keyspace.ground().commit(place).replace(layout, stored, second))
                    .hasMessageContaining("must live together");
        }
        sharesOneSlot(
                keyspace.ground()
                        .commit(place)
                        .with(
                                basket ->
                                        basket.entities()
                                                .removeWhole(layout, stored)
                                                .add(
                                                        Operation.SET,
                                                        Homes.MOVED.key(layout.mapping().keyOf(id)))
                                                .add(
                                                        Operation.SET,
                                                        Homes.pointerKey(
                                                                layout.mapping().keyOf(id)))
                                                .notLaterThan(1)));
        sharesOneSlot(
                keyspace.ground()
                        .commit(place)
                        .with(
                                basket ->
                                        basket.entities()
                                                .reserve(layout, first)
                                                .add(
                                                        Operation.SET,
                                                        Homes.MOVING.key(
                                                                layout.mapping().keyOf(id)))));
        if (!layout.pattern().tagged()) {
            sharesOneSlot(
                    keyspace.ground()
                            .commit(place)
                            .create(layout, first)
                            .log(Plant.QUEUE.at(ownerIn(place)), "", "", 1)
                            .with(keyspace.feed(Topic.named("topic")).fact(new byte[0]))
                            .once("token"));
        }
    }

    private static <E> Place placeOf(Layout<E> layout, E entity) {
        return layout.pattern().tagged()
                ? keyspace.ground()
                        .shards()
                        .tagged(layout.mapping().key(entity), layout.mapping().ownerOf(entity))
                : keyspace.ground().shards().place(layout.mapping().ownerOf(entity));
    }

    /** Another state of the same entity, as far as the id does not decide everything. */
    @SuppressWarnings("unchecked") // the map pairs each layout with its own entities
    private static <E> E changed(
            Layout<E> layout, E first, String id, Function<String, Object> random) {
        E second = (E) random.apply(id);
        return layout.mapping().idOf(layout.mapping().key(second)).equals(id) ? second : first;
    }

    private static String ownerIn(Place place) {
        for (int i = 0; ; i++) {
            if (Shards.shard("o" + i) == place.shard()) {
                return "o" + i;
            }
        }
    }

    @Test
    void the_keys_of_any_commit_of_any_cell_share_one_slot() {
        int cells = 0;
        for (Declaration each : Plant.CATALOGUE.declarations()) {
            if (each instanceof Cell cell && !cell.name().startsWith(Catalogue.OWN)) {
                cells++;
                for (int i = 0; i < 200; i++) {
                    String[] values =
                            cell.pattern().variables().stream()
                                    .map(variable -> valueFor(cell.pattern(), variable))
                                    .toArray(String[]::new);
                    Cell.Key key = cell.at(values);
                    sharesOneSlot(keyspace.commitAt(key).absent(key).delete(key).once("token"));
                }
            }
        }
        assertThat(cells).isEqualTo(8);
        sharesOneSlot(
                keyspace.commitAt(Plant.CLOCK.at("x"))
                        .increment(Plant.CLOCK.at("x"), 1)
                        .set(Plant.INBOX.at("x", "1"), "m"));
    }

    private String valueFor(KeyPattern pattern, String variable) {
        String value = text();
        if (pattern.grammar(variable).matches(value)) {
            return value;
        }
        return pattern.grammar(variable).matches("7x") ? name() : Long.toString(number());
    }

    @Test
    void a_token_of_a_tagged_cell_lies_in_its_slot() {
        Cell.Key clock = Plant.CLOCK.at("channel");
        assertThat(keyspace.commitAt(clock).set(clock, "1").once("t").run().isDone()).isTrue();
        assertThat(keyspace.commitAt(clock).set(clock, "2").once("t").run().isDone()).isTrue();
        assertThat(Site.CLUSTER.command("c.{channel}.clock", "GET", "c.{channel}.clock"))
                .isEqualTo("1");
    }

    @Test
    void the_server_itself_refuses_a_commit_over_two_slots() {
        // Both slots belong to the same node: only a script with a head is refused.
        byte[][] keys = {"{iv9}a".getBytes(UTF_8), "{kuo}a".getBytes(UTF_8)};
        assertThat(Slots.of(keys[0])).isNotEqualTo(Slots.of(keys[1]));
        byte[] one = "1".getBytes(UTF_8);
        byte[][] args = {"SS".getBytes(UTF_8), "2".getBytes(UTF_8), "2".getBytes(UTF_8), one, one};
        Request request =
                Request.script(Script.of(Commit.class, "run"), 0, Slots.of(keys[0]), keys, args);
        assertThatThrownBy(() -> redis.call(request))
                .isInstanceOf(RedisException.class)
                .hasMessageContaining("slot");
        assertThat(Site.CLUSTER.command("{iv9}a", "EXISTS", "{iv9}a")).isEqualTo(0L);
    }
}
