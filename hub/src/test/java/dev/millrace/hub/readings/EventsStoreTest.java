package dev.millrace.hub.readings;

import static dev.millrace.hub.readings.kept.ReadingsLayouts.EVENTS;
import static dev.millrace.hub.readings.kept.ReadingsLayouts.READINGS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.edgex.EdgexJson;
import dev.millrace.hub.readings.arriving.NewEvent;
import dev.millrace.hub.readings.arriving.NewEvent.NewReading;
import dev.millrace.hub.readings.kept.Event;
import dev.millrace.hub.readings.kept.Reading;
import dev.millrace.hub.readings.kept.ReadingsLayouts;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.feed.Changes;
import dev.millrace.keyspace.feed.Fact;
import dev.millrace.keyspace.feed.FeedCursor;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.walk.Pace;
import dev.millrace.keyspace.testing.OnEachSite;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** What HTTP does not show: what is announced, what is left behind, and what is many. */
@OnEachSite
final class EventsStoreTest extends ServiceContract {

    private List<JsonNode> facts(FeedCursor since) {
        return switch (keyspace.feed(EventsService.TOPIC).since(since, 100)) {
            case Changes.Facts found ->
                    found.facts().stream()
                            .map(Fact::body)
                            .map(body -> EdgexJson.MAPPER.readTree(body))
                            .toList();
            case Changes.Reload reload -> throw new AssertionError("Nothing was lost.");
        };
    }

    private static NewEvent photo(String base64) {
        Reading reading =
                new Reading(null, 0, 0, 0, 0, null, "photo", null, "Binary", null, "image/png");
        return new NewEvent(event("camera", 5).event(), List.of(new NewReading(reading, base64)));
    }

    @Test
    void an_event_is_announced_with_ids_and_binary_values() {
        FeedCursor since = keyspace.feed(EventsService.TOPIC).now();
        String id = add(photo("AAEC"));
        JsonNode fact = facts(since).getFirst();
        assertThat(fact.get("id").asString()).isEqualTo(id);
        assertThat(fact.at("/readings/0/id").asString()).hasSize(36);
        assertThat(fact.at("/readings/0/device").asString()).isEqualTo("camera");
        assertThat(fact.at("/readings/0/binaryValue").asString()).isEqualTo("AAEC");
        assertThat(EdgexJson.MAPPER.writeValueAsString(events.get(id).orElseThrow()))
                .doesNotContain("AAEC");
    }

    @Test
    void binary_values_that_are_too_large_are_left_out_of_the_announcement() {
        FeedCursor since = keyspace.feed(EventsService.TOPIC).now();
        add(photo("AAAA".repeat(Announcement.LARGEST / 4)));
        assertThat(facts(since).getFirst().at("/readings/0").has("binaryValue")).isFalse();
    }

    @Test
    void what_is_not_to_be_stored_is_announced_all_the_same() {
        FeedCursor since = keyspace.feed(EventsService.TOPIC).now();
        EventsService passing = service("readings.persist=no");
        assertThat(passing.add(event("pump", 0, "a")).join().orThrow()).isEmpty();
        assertThat(events.count()).isZero();
        assertThat(readings.count()).isZero();
        assertThat(facts(since).getFirst().get("device").asString()).isEqualTo("pump");
    }

    @Test
    void what_is_refused_is_not_announced() {
        FeedCursor since = keyspace.feed(EventsService.TOPIC).now();
        String id = add(event("pump", 5, "a"));
        NewEvent again = new NewEvent(event("fan", 5).event().stored(id, 5), List.of());
        assertThat(events.add(again).join().failedBy(Reason.DUPLICATE)).isTrue();
        assertThat(facts(since)).hasSize(1);
    }

    @Test
    void of_many_who_send_one_id_one_wins() {
        String id = Shards.mint("pump");
        List<CompletableFuture<Outcome<String>>> going = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            String device = i % 2 == 0 ? "pump" : "fan" + i;
            NewEvent sent = event(device, 5, "a");
            going.add(events.add(new NewEvent(sent.event().stored(id, 5), sent.readings())));
        }
        long won = going.stream().filter(each -> each.join().isDone()).count();
        assertThat(won).isEqualTo(1);
        assertThat(events.count()).isEqualTo(1);
        assertThat(readings.count()).isEqualTo(1);
    }

    @Test
    void an_event_of_others_with_more_readings_than_a_commit_takes_goes_too() {
        String id = add(event("pump", 5, "first"));
        Event event = keyspace.store(EVENTS).get(id).orElseThrow().value();
        for (int i = 0; i < 4; i++) {
            Commit more = keyspace.commit("pump");
            for (int j = 0; j < 400; j++) {
                String part = Shards.mint("pump");
                more.create(READINGS, reading("pump", 5, "more").stored(part, 5, "pump"))
                        .addSorted(ReadingsLayouts.readingsOf(event), 1 + i * 400 + j, part);
            }
            more.run().orThrow();
        }
        assertThat(events.get(id).orElseThrow().readings()).hasSize(1601);
        deletion.delete(id).orThrow();
        assertThat(readings.count()).isZero();
        nothingIsLeft();
    }

    @Test
    void many_events_go_in_steps_and_are_counted() {
        int count = Boolean.getBoolean("millrace.full") ? 100_000 : 5_000;
        List<CompletableFuture<Outcome<String>>> going = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            going.add(events.add(event("device" + i % 10, 1 + i % 1000, "a", "b")));
            if (going.size() == 500) {
                going.forEach(each -> each.join().orThrow());
                going.clear();
            }
        }
        going.forEach(each -> each.join().orThrow());
        assertThat(events.count()).isEqualTo(count);
        assertThat(deletion.createdUntil(500).orThrow()).isEqualTo(count / 2);
        assertThat(deletion.ofDevice("device9").orThrow()).isEqualTo(count / 20);
        assertThat(readings.count()).isEqualTo(2 * events.count());
        deletion.everything().orThrow();
        nothingIsLeft();
    }

    @Test
    void what_is_added_while_a_device_is_emptied_stays_whole() throws InterruptedException {
        for (int i = 0; i < 300; i++) {
            readings.add(reading("pump", 1 + i, "single")).orThrow();
            add(event("pump", 1 + i, "a"));
        }
        List<String> added = new ArrayList<>();
        Thread writer =
                Thread.startVirtualThread(
                        () -> {
                            for (int i = 0; i < 200; i++) {
                                added.add(add(event("pump", 1 + i, "a", "b")));
                            }
                        });
        deletion.ofDevice("pump").orThrow();
        writer.join();
        for (EventView event : views(events.newestOf("pump", 10_000))) {
            assertThat(added).contains(event.id());
            assertThat(event.readings()).hasSize(2);
        }
        assertThat(readings.count()).isEqualTo(2 * events.count());
    }

    @Test
    void a_change_of_device_that_was_cut_off_is_finished_by_the_next() {
        String id = add(event("pump", 5, "a", "b", "c"));
        List<String> parts =
                events.get(id).orElseThrow().readings().stream()
                        .map(part -> ((Reading) part).id())
                        .toList();
        // As if the first try had died after one reading had moved.
        var store = keyspace.store(READINGS);
        store.update(parts.get(1), reading -> reading.withDevice("fan")).orThrow();
        Event change = new Event(id, "", 0, "fan", 0, 0, 0, null);
        changes.change(change).orThrow();
        EventView whole = events.get(id).orElseThrow();
        assertThat(whole.device()).isEqualTo("fan");
        assertThat(whole.readings()).extracting(part -> ((Reading) part).id()).isEqualTo(parts);
        deletion.delete(id).orThrow();
        nothingIsLeft();
    }

    /** The view compares what is sent with what would be written anew. */
    @Test
    void an_event_whose_readings_need_care_is_sent_as_any_other() {
        Event plain = new Event("", "", 0, "pump", 0, 0, 7, null);
        Event tagged = new Event("", "", 0, "pump", 0, 0, 7, Map.of("floor", "2"));
        for (Event event : List.of(plain, tagged)) {
            for (String value : List.of("21.5", "a \"quoted\" one", "grün", "")) {
                Reading usual = reading(null, 0, "a");
                Reading other =
                        new Reading(null, 0, 0, 3, 0, null, "b", value, "String", null, null);
                add(new NewEvent(event, List.of()));
                add(
                        new NewEvent(
                                event,
                                List.of(new NewReading(usual, ""), new NewReading(other, ""))));
            }
        }
        // And one that somebody else has written with blanks.
        String id = add(event("pump", 5, "a"));
        site.dump()
                .forEach(
                        (key, value) -> {
                            if (value instanceof String json && json.contains("\"name\":\"a\"")) {
                                site.command(key, "SET", key, json.replace("\":", "\" : "));
                            }
                        });
        assertThat(views(events.newestOf("pump", 100)))
                .hasSize(17)
                .anyMatch(each -> each.id().equals(id));
    }

    /** Nothing but what the engine keeps for itself. */
    private void nothingIsLeft() {
        Keyspace all = keyspace;
        assertThat(all.census(Pace.FULL, seen -> {}).markdown())
                .doesNotContain("event", "reading", "home");
    }
}
