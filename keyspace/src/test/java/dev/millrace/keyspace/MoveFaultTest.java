package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.Plant.Event;
import dev.millrace.keyspace.Plant.Notice;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.store.Store;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A change of owner in a cluster that meets an obstacle: the entity is never lost. */
final class MoveFaultTest extends EngineContract {
    private static final String ID = "57ba04a1189b95b8afcdafd7";
    private static final String OTHER = "57ba04a1189b95b8afcdafd8";

    MoveFaultTest() {
        super(Site.CLUSTER);
    }

    @Override
    protected Catalogue catalogue() {
        return Plant.CATALOGUE;
    }

    private static Notice notice(String id, String slug) {
        return new Notice(id, slug, "joe", List.of("red"));
    }

    @Test
    void a_unique_value_that_is_taken_refuses_the_move_before_it_begins() {
        Store<Notice> notices = keyspace.store(Plant.NOTICES);
        notices.create(notice(ID, "mine")).orThrow();
        notices.create(notice(OTHER, "taken")).orThrow();
        assertThat(notices.update(ID, old -> notice(ID, "taken")).failedBy(Reason.DUPLICATE))
                .isTrue();
        assertThat(notices.get(ID).map(Stored::value)).contains(notice(ID, "mine"));
        assertThat(notices.find("notice-slug", "mine").map(Stored::id)).contains(ID);
        assertThat(notices.find("notice-slug", "taken").map(Stored::id)).contains(OTHER);
        assertThat(notices.query("notices").count()).isEqualTo(2);
        assertThat(notices.update(ID, old -> notice(ID, "free")).isDone()).isTrue();
        assertThat(notices.find("notice-slug", "free").map(Stored::id)).contains(ID);
        assertThat(notices.find("notice-slug", "mine")).isEmpty();
    }

    @Test
    void two_that_want_one_unique_value_at_the_same_time_do_not_both_get_it() {
        Store<Notice> notices = keyspace.store(Plant.NOTICES);
        for (int round = 0; round < 20; round++) {
            String slug = "slug" + round;
            notices.create(notice(ID, slug + "a")).orThrow();
            notices.create(notice(OTHER, slug + "b")).orThrow();
            List<CompletableFuture<Outcome<Stored<Notice>>>> moves = new ArrayList<>();
            for (String id : List.of(ID, OTHER)) {
                moves.add(
                        CompletableFuture.supplyAsync(
                                () -> notices.update(id, old -> notice(id, slug)),
                                Thread::startVirtualThread));
            }
            assertThat(moves.stream().filter(each -> each.join().isDone()).count()).isEqualTo(1);
            assertThat(notices.get(ID)).isPresent();
            assertThat(notices.get(OTHER)).isPresent();
            assertThat(keyspace.check().run().findings()).isEmpty();
            notices.delete(ID).orThrow();
            notices.delete(OTHER).orThrow();
        }
    }

    @Test
    void a_wrong_type_at_any_key_of_the_new_place_refuses_the_move_before_it_begins() {
        Store<Event> events = keyspace.store(Plant.EVENTS);
        Event event = new Event(Shards.mint("pump"), "pump", 1, 1);
        events.create(event).orThrow();
        for (String key : List.of("event", "event:created", "event:pushed", "event:device:tank")) {
            raw("tank", "SET", key, "text");
            assertThat(
                            events.update(event.id(), old -> new Event(old.id(), "tank", 1, 1))
                                    .failedBy(Reason.WRONG_TYPE))
                    .as(key)
                    .isTrue();
            assertThat(events.get(event.id()).map(Stored::value)).as(key).contains(event);
            raw("tank", "DEL", key);
            assertThat(keyspace.check().run().findings()).as(key).isEmpty();
        }
    }

    @Test
    void a_move_that_somebody_else_finishes_is_done() {
        Store<Event> events = keyspace.store(Plant.EVENTS);
        String id = Shards.mint("pump");
        events.create(new Event(id, "pump", 0, 1)).orThrow();
        for (int round = 0; round < 200; round++) {
            String device = "device" + round;
            CompletableFuture<?> reader =
                    CompletableFuture.runAsync(
                            () -> {
                                for (int i = 0; i < 5; i++) {
                                    assertThat(events.get(id)).isPresent();
                                }
                            },
                            Thread::startVirtualThread);
            Outcome<Stored<Event>> moved =
                    events.update(id, old -> new Event(id, device, old.created() + 1, 1));
            assertThat(moved.isDone()).as("%s", moved).isTrue();
            reader.join();
            assertThat(events.get(id).map(stored -> stored.value().device())).contains(device);
        }
        assertThat(events.query("event").count()).isEqualTo(1);
    }
}
