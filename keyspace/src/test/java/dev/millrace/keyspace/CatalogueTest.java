package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.CollisionException;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.Entry;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;

import org.junit.jupiter.api.Test;

import java.util.List;

/** The proof that no two declarations share a key, and the reference that comes of it. */
final class CatalogueTest {

    record Thing(String id, String room, long at) {}

    record Note(String key, String text) {}

    private static Layout<Thing> things(String pattern) {
        return Layout.json(pattern, Thing.class).ownedByItself();
    }

    private static Layout<Note> notes() {
        return Layout.json("{key:documentkey}", Note.class)
                .ownedByItself()
                .rest()
                .kind("notes")
                .sorted("notes", 0);
    }

    private static Cell list(String pattern) {
        return Cell.of(KeyType.LIST, pattern);
    }

    private static String collision(Declaration... declarations) {
        Throwable thrown = catchThrowable(() -> Keyspace.catalogue(declarations));
        assertThat(thrown).isInstanceOf(CollisionException.class);
        return String.valueOf(thrown.getMessage());
    }

    @Test
    void a_collision_is_told_with_a_key_that_both_could_be() {
        assertThat(collision(things("alarm:{id:name}"), list("alarm:events")))
                .contains("alarm:{id:name} (Thing)")
                .contains("alarm:events (alarm:events)")
                .contains("'alarm:events'")
                .contains("losesTo");
    }

    @Test
    void every_collision_is_told_at_once() {
        assertThat(
                        collision(
                                things("a:{id:name}"),
                                list("a:x"),
                                list("a:y"),
                                list("b:{n:path}"),
                                list("b:c:{n:name}")))
                .contains("'a:x'")
                .contains("'a:y'")
                .contains("b:c:");
    }

    @Test
    void indexes_collide_like_values() {
        Layout<Thing> one = things("one:{id:name}").set("rooms:{room}");
        assertThat(collision(one, list("rooms:{name:name}"))).contains("rooms:{room}");
        assertThat(collision(things("one:{id:name}").set("one:all"))).contains("'one:all'");
        assertThat(collision(things("one:{id:name}").set("x").sorted("x", 0))).contains("'x'");
    }

    @Test
    void one_side_gives_way_and_only_one() {
        Cell events = list("alarm:events");
        Catalogue catalogue =
                Keyspace.catalogue(things("alarm:{id:name}").losesTo("alarm:events"), events);
        assertThat(catalogue.layouts()).hasSize(1);
        assertThat(collision(things("alarm:{id:name}"), list("alarm:events")))
                .contains("alarm:events");
        assertThat(
                        collision(
                                things("alarm:{id:name}").losesTo("alarm:events"),
                                list("alarm:events").losesTo("alarm:{id:name}")))
                .contains("'alarm:events'");
        Keyspace.catalogue(things("alarm:{id:name}"), events.losesTo("alarm:{id:name}"));
    }

    @Test
    void giving_way_to_something_that_nobody_declares_is_a_mistake() {
        assertThat(collision(things("alarm:{id:name}").losesTo("alarm:evnets")))
                .contains("Thing gives way to alarm:evnets, which nobody declares");
    }

    @Test
    void ids_that_lead_to_a_winner_are_refused_and_no_others() {
        Layout<Thing> alarms = things("alarm:{id:name}").losesTo("alarm:events", "alarm:x{n:name}");
        Catalogue catalogue =
                Keyspace.catalogue(
                        alarms, list("alarm:events"), list("alarm:x{n:name}").ownedBy("n"));
        assertThat(catalogue.refusal(alarms, "events"))
                .contains(
                        "The key 'alarm:events' is reserved for alarm:events; choose another id.");
        assertThat(catalogue.refusal(alarms, "x1")).isPresent();
        assertThat(catalogue.refusal(alarms, "x")).isEmpty();
        assertThat(catalogue.refusal(alarms, "event")).isEmpty();
        assertThat(catalogue.refusal(alarms, "a:b"))
                .hasValueSatisfying(why -> assertThat(why).contains("'a:b'", "Thing"));
    }

    @Test
    void kinds_may_share_a_pattern_if_each_names_its_own_index() {
        Keyspace.catalogue(Plant.events(), Plant.readings());
        assertThat(
                        collision(
                                things("{id:id}").kind("k1").sorted("k1", 0),
                                things("{id:id}").named("Other")))
                .contains("{id:id} (Thing)");
        assertThat(
                        collision(
                                things("{id:id}").kind("k").sorted("k", 0),
                                things("{id:id}").named("Other").kind("k").sorted("k", 0)))
                .contains("two layouts name the kind index k");
        assertThat(
                        collision(
                                things("{id:id}").kind("k1").sorted("k1", 0),
                                things("{id:uuid}").named("Other").kind("k2").sorted("k2", 0)))
                .contains("{id:uuid} (Other)");
    }

    @Test
    void the_rest_gives_way_to_everybody_and_there_is_one() {
        Layout<Note> notes = notes();
        Catalogue catalogue =
                Keyspace.catalogue(notes, things("thing:{id:name}").set("things"), Plant.events());
        assertThat(catalogue.refusal(notes, "thing:x")).isPresent();
        assertThat(catalogue.refusal(notes, "things")).isPresent();
        assertThat(catalogue.refusal(notes, "notes")).isPresent();
        assertThat(catalogue.refusal(notes, "millrace:seq")).isPresent();
        assertThat(catalogue.refusal(notes, "thing")).isEmpty();
        assertThat(catalogue.refusal(notes, Shards.mint("x"))).isEmpty();
        Layout<Note> second =
                Layout.json("{key:path}", Note.class)
                        .named("Second")
                        .ownedByItself()
                        .rest()
                        .kind("seconds")
                        .sorted("seconds", 0);
        assertThat(collision(notes(), second)).contains("Second");
    }

    @Test
    void nobody_may_use_the_engine_s_own_keys() {
        assertThat(collision(list("millrace:{name:path}"))).contains("millrace:seq");
        assertThat(collision(list("millrace:home:{name:name}"))).contains("millrace:home:");
        assertThat(collision(list("{name}"))).contains("millrace:");
    }

    @Test
    void a_key_is_what_its_winner_says() {
        Catalogue catalogue = Plant.CATALOGUE;
        assertThat(owners(catalogue, "alarm:events")).containsExactly("alarm:events");
        assertThat(owners(catalogue, "alarm:hot")).containsExactly("Alarm");
        assertThat(owners(catalogue, "alarm:rule:index")).containsExactly("Rule");
        assertThat(owners(catalogue, "event:device:x:y")).containsExactly("Event");
        assertThat(owners(catalogue, "recipe")).containsExactly("Document");
        assertThat(owners(catalogue, "millrace:home:x")).containsExactly("millrace:home:{id}");
        assertThat(owners(catalogue, "57ba04a1189b95b8afcdafd7"))
                .containsExactlyInAnyOrder("Event", "Reading", "Document");
        assertThat(owners(catalogue, "no key of ours")).isEmpty();
    }

    private static List<String> owners(Catalogue catalogue, String key) {
        return catalogue.spotsOf(key.getBytes(UTF_8)).stream()
                .map(spot -> spot.owner().name())
                .toList();
    }

    @Test
    void a_declaration_is_registered_once_however_often_it_is_named() {
        Layout<Thing> layout = things("thing:{id:name}");
        assertThat(Keyspace.catalogue(layout, layout).layouts()).hasSize(1);
        assertThatThrownBy(
                        () ->
                                Keyspace.catalogue(
                                        things("thing:{id:name}"), things("thing:{id:name}")))
                .isInstanceOf(CollisionException.class);
    }

    @Test
    void the_reference_has_a_table_for_each_layout_and_one_for_all_cells() {
        Layout<Thing> things =
                things("thing:{id:name}")
                        .about("A thing in a room.")
                        .losesTo("thing:count")
                        .sorted("things:at", Thing::at)
                        .sorted("things", 0)
                        .set("rooms:{room}");
        String text =
                Keyspace.catalogue(
                                things,
                                Cell.of(KeyType.STRING, "thing:count").about("How many."),
                                list("queue:{name:name}").ownedBy("name"))
                        .markdown();
        assertThat(text)
                .startsWith("# Keys\n")
                .contains("## Thing\n\nA thing in a room. Lives with: itself.\n")
                .containsPattern("\\| String +\\| `thing:\\{id:name}` +\\| Thing +\\|")
                .containsPattern("\\| Sorted set +\\| `things:at` +\\| id +\\| at +\\|")
                .containsPattern("\\| Sorted set +\\| `things` +\\| id +\\| 0 +\\|")
                .containsPattern("\\| Set +\\| `rooms:\\{room}` +\\| id +\\|  +\\|")
                .contains("Refused are ids whose key is `thing:count`.")
                .containsPattern("\\| String +\\| `thing:count` +\\| site +\\| How many\\. +\\|")
                .containsPattern("\\| List +\\| `queue:\\{name:name}` +\\| name +\\|")
                .contains("`millrace:moved:{id}`");
        assertThat(text.lines().filter(line -> line.startsWith("|")).toList())
                .allMatch(line -> line.endsWith("|"));
    }

    @Test
    void entries_are_printed_as_a_table() {
        Keyspace.catalogue(Plant.CATALOGUE.declarations());
        List<Entry> entries =
                Plant.EVENTS.entries(
                        new Plant.Event("57ba04a1189b95b8afcdafd7", "pump", 1471806399999L, 0));
        assertThat(Catalogue.table(entries))
                .isEqualTo(
                        """
                        | Sorted Set Key    | Score         | Member                   |
                        | ----------------- | ------------- | ------------------------ |
                        | event             | 0             | 57ba04a1189b95b8afcdafd7 |
                        | event:created     | 1471806399999 | 57ba04a1189b95b8afcdafd7 |
                        | event:device:pump | 1471806399999 | 57ba04a1189b95b8afcdafd7 |
                        """);
    }
}
