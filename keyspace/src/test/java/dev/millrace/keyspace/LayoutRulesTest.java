package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

/** Each rule refuses what violates it, with its own sentence. */
final class LayoutRulesTest {

    record Thing(String id, String room, long at, List<String> labels) {}

    record Box(String id, String room, String state) {}

    private static Layout<Thing> thing() {
        return Layout.json("thing:{id:name}", Thing.class);
    }

    private static Layout<Box> box() {
        return Layout.hash("box:{id:name}", Box.class);
    }

    private static void refuses(Declaration declaration, String words) {
        assertThatThrownBy(() -> Keyspace.catalogue(declaration))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(declaration.name())
                .hasMessageContaining(words);
    }

    private static void accepts(Declaration declaration) {
        assertThatCode(() -> Keyspace.catalogue(declaration)).doesNotThrowAnyException();
    }

    @Test
    void a_layout_names_its_owner() {
        refuses(thing(), "names no owner; use ownedBy, ownedByItself or ownedBySite");
        refuses(thing().ownedBy("hall"), "owned by 'hall', which is not a component");
        accepts(thing().ownedBy("room"));
        accepts(thing().bind("hall", Thing::room).ownedBy("hall"));
        accepts(thing().ownedByItself());
        accepts(thing().ownedBySite());
    }

    @Test
    void an_owner_in_the_key_can_be_read_from_it() {
        record Pair(String one, String other) {}
        refuses(
                Layout.json("pair:{one:path}:{other:path}", Pair.class).ownedBy("one"),
                "a key from which its owner cannot be read");
        accepts(Layout.json("pair:{one:name}:{other:name}", Pair.class).ownedBy("one"));
    }

    @Test
    void every_variable_is_bound() {
        refuses(
                Layout.json("thing:{name:name}", Thing.class).ownedByItself(),
                "has a variable {name} that no component or binding fills");
        refuses(
                thing().ownedByItself().set("things:{label}"),
                "has a variable {label} that no component or binding fills");
        accepts(thing().ownedByItself().bind("label", Thing::labels).set("things:{label}"));
        refuses(
                thing().ownedBySite().unique("things", "colour"),
                "has a unique index on 'colour', which nothing fills");
    }

    @Test
    void a_value_has_a_time_to_live_or_indexes() {
        Duration hour = Duration.ofHours(1);
        refuses(
                thing().ownedByItself().expires(hour).set("things"),
                "has a time to live and indexes; the value would expire and its entries stay");
        accepts(thing().ownedByItself().expires(hour));
        accepts(box().ownedByItself().expires(hour));
        for (Duration time :
                List.of(Duration.ZERO, Duration.ofNanos(999_999), Duration.ofDays(40_000))) {
            refuses(thing().ownedByItself().expires(time), "a time to live outside");
            refuses(Cell.of(KeyType.STRING, "cell").expires(time), "a time to live outside");
        }
        refuses(Cell.of(KeyType.LIST, "cell").expires(hour), "Only a string");
    }

    @Test
    void a_layout_with_a_hash_tag_lives_where_the_tag_says() {
        record Letter(String channel, String number) {}
        Layout<Letter> indexed =
                Layout.json("c.{{channel:tag}}.{number:number}", Letter.class)
                        .ownedBy("channel")
                        .set("letters");
        refuses(indexed, "carries a hash tag of its own");
        refuses(
                Layout.json("c.{{channel:tag}}.{number:number}", Letter.class).ownedBy("number"),
                "must be owned by 'channel'");
        refuses(
                Layout.json("c.{{channel:tag}}.{number:number}", Letter.class).ownedByItself(),
                "must be owned by 'channel'");
        refuses(
                Layout.json("c.{{channel:tag}}.{number:number}", Letter.class).ownedBySite(),
                "must be owned by 'channel'");
        refuses(
                Layout.json("{{channel:tag}}.{number:number}", Letter.class).ownedBy("channel"),
                "begins with its hash tag");
        refuses(Cell.of(KeyType.STRING, "{{channel:tag}}.clock"), "begins with its hash tag");
        accepts(Layout.json("c.{{channel:tag}}.{number:number}", Letter.class).ownedBy("channel"));
    }

    @Test
    void a_kind_index_holds_every_entity_of_the_kind() {
        String words = "names a kind index that does not hold every one of its entities";
        refuses(thing().ownedBy("room").kind("things").set("things"), words);
        refuses(thing().ownedBy("room").kind("t:{room}").sorted("t:{room}", 0), words);
        refuses(
                thing().ownedBy("room").kind("things").sorted("things", 0).when(t -> t.at() > 0),
                words);
        assertThatThrownBy(() -> Keyspace.catalogue(thing().ownedBy("room").kind("things")))
                .hasMessageContaining("has no index things");
        refuses(thing().ownedByItself().rest(), "takes the rest of all keys and must name");
        accepts(thing().ownedBy("room").kind("things").sorted("things", Thing::at));
    }

    @Test
    void a_unique_field_decides_the_shard() {
        String words = "has a unique index on 'room' and must be owned by it or by the site";
        refuses(thing().ownedByItself().unique("rooms", "room"), words);
        refuses(thing().ownedBy("id").unique("rooms", "room"), words);
        accepts(thing().ownedBy("room").unique("rooms", "room"));
        accepts(thing().ownedBySite().unique("rooms", "room"));
    }

    @Test
    void a_hash_compares_the_fields_its_entries_are_made_from() {
        refuses(box().ownedByItself().indexedBy("colour").set("boxes"), "is indexed by 'colour'");
        refuses(box().ownedByItself().indexedBy("id").set("boxes"), "is indexed by 'id'");
        refuses(
                box().ownedByItself().indexedBy("state").set("boxes:{room}"),
                "has entries made from 'room', which indexedBy must name");
        refuses(
                box().ownedBy("room").indexedBy("state").set("boxes"),
                "has entries made from 'room', which indexedBy must name");
        refuses(
                box().ownedBySite().indexedBy("state").unique("boxes", "room"),
                "has entries made from 'room', which indexedBy must name");
        accepts(box().ownedBy("room").indexedBy("state", "room").set("boxes:{room}:{state}"));
        accepts(box().ownedByItself().indexedBy("state").set("boxes:{id}"));
        accepts(box().ownedBy("room").set("boxes:{room}"));
    }

    @Test
    void a_hash_field_holds_what_text_can_say() {
        assertThatThrownBy(() -> Layout.hash("thing:{id:name}", Thing.class))
                .hasMessageContaining("give the layout a codec of its own");
    }

    @Test
    void a_registered_layout_cannot_be_changed() {
        Layout<Thing> layout = thing().ownedByItself();
        Keyspace.catalogue(layout);
        assertThatThrownBy(() -> layout.set("things")).hasMessageContaining("cannot be changed");
        assertThatThrownBy(() -> layout.ownedBySite()).hasMessageContaining("cannot be changed");
        accepts(layout);
    }

    @Test
    void what_follows_from_the_key_alone_is_known() {
        Keyspace.catalogue(Plant.CATALOGUE.declarations());
        assertThat(Plant.POINTS.mapping().indexedByKeyAlone()).isTrue();
        assertThat(Plant.DOCUMENTS.mapping().indexedByKeyAlone()).isTrue();
        assertThat(Plant.SESSIONS.mapping().indexedByKeyAlone()).isTrue();
        for (Layout<?> layout :
                List.of(Plant.EVENTS, Plant.NOTICES, Plant.ALARMS, Plant.TANKS, Plant.RULES)) {
            assertThat(layout.mapping().indexedByKeyAlone()).as(layout.name()).isFalse();
        }
        assertThat(Plant.EVENTS.mapping().ownerInKey()).isFalse();
        assertThat(Plant.POINTS.mapping().ownerInKey()).isTrue();
        assertThat(Plant.RULES.mapping().ownerInKey()).isTrue();
    }
}
