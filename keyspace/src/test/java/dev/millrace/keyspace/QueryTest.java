package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.keyspace.Plant.Event;
import dev.millrace.keyspace.Plant.Notice;
import dev.millrace.keyspace.Plant.Rule;
import dev.millrace.keyspace.Plant.Tank;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.store.Cursor;
import dev.millrace.keyspace.store.Page;
import dev.millrace.keyspace.store.Query;
import dev.millrace.keyspace.store.Store;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** Pages, ranges, counts and deletes by range, the same on a single server and on a cluster. */
@OnEachSite
final class QueryTest extends EngineContract {
    private Store<Event> events;
    private Store<Notice> notices;
    private Store<Tank> tanks;

    QueryTest(Site site) {
        super(site);
    }

    @Override
    protected Catalogue catalogue() {
        return Plant.CATALOGUE;
    }

    @BeforeEach
    void stores() {
        events = keyspace.store(Plant.EVENTS);
        notices = keyspace.store(Plant.NOTICES);
        tanks = keyspace.store(Plant.TANKS);
    }

    /** Events of several devices, ten of each score. */
    private List<Event> plant(int count) {
        List<Event> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String device = "device" + i % 7;
            Event event = new Event(Shards.mint(device), device, i / 10, 0);
            done(events.create(event));
            all.add(event);
        }
        all.sort(Comparator.comparingLong(Event::created).thenComparing(Event::id));
        return all;
    }

    private static List<String> ids(List<Event> events) {
        return events.stream().map(Event::id).toList();
    }

    private interface Ask<E> {
        Query<E> query();
    }

    /** The ids of all pages, each asked for with the text of the cursor before. */
    private static <E> List<String> pages(Ask<E> ask, boolean newestFirst, int limit) {
        List<String> seen = new ArrayList<>();
        Optional<Cursor> cursor = Optional.empty();
        do {
            Query<E> query = ask.query().limit(limit);
            query = newestFirst ? query.newestFirst() : query.oldestFirst();
            cursor.ifPresent(query::after);
            Page<E> page = query.page();
            assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
            assertThat(page.next().isEmpty() || page.items().size() == limit).isTrue();
            page.items().forEach(item -> seen.add(item.id()));
            cursor = page.next().map(Cursor::text).map(Cursor::parse);
        } while (cursor.isPresent());
        return seen;
    }

    @Test
    void pages_go_through_an_index_in_both_directions_and_through_equal_scores() {
        List<String> expected = ids(plant(40));
        for (int limit : List.of(1, 7, 39, 40, 41)) {
            assertThat(pages(() -> events.query("event:created"), false, limit))
                    .isEqualTo(expected);
            assertThat(pages(() -> events.query("event:created"), true, limit))
                    .isEqualTo(expected.reversed());
        }
    }

    @Test
    void a_range_of_scores_includes_its_ends() {
        List<Event> all = plant(40);
        for (int low = -1; low < 5; low++) {
            for (int high = low - 1; high < 5; high++) {
                double lowest = low;
                double highest = high;
                List<String> expected =
                        ids(
                                all.stream()
                                        .filter(
                                                e ->
                                                        e.created() >= lowest
                                                                && e.created() <= highest)
                                        .toList());
                Ask<Event> ask = () -> events.query("event:created").between(lowest, highest);
                assertThat(ask.query().count()).isEqualTo(expected.size());
                assertThat(pages(ask, false, 7)).isEqualTo(expected);
                assertThat(pages(ask, true, 7)).isEqualTo(expected.reversed());
            }
        }
    }

    @Test
    void a_cursor_stays_good_when_its_own_entry_and_its_neighbours_are_deleted() {
        List<Event> all = plant(40);
        for (boolean newestFirst : List.of(false, true)) {
            List<Event> order = newestFirst ? all.reversed() : List.copyOf(all);
            for (int at : List.of(0, 4, 9, 10, 15)) {
                Event here = order.get(at);
                Cursor cursor = new Cursor(here.created(), here.id());
                Event before = order.get(Math.max(0, at - 1));
                Event behind = order.get(at + 1);
                Set<Event> gone = new HashSet<>(List.of(before, here, behind));
                gone.forEach(event -> done(events.delete(event.id())));
                List<Event> left = new ArrayList<>(order.subList(at + 1, order.size()));
                left.removeAll(gone);
                Query<Event> query = events.query("event:created").after(cursor);
                query = newestFirst ? query.newestFirst() : query;
                assertThat(query.page().values()).isEqualTo(left);
                gone.forEach(event -> done(events.create(event)));
            }
        }
    }

    @Test
    void a_cursor_whose_entry_has_another_score_by_now_stays_where_it_was() {
        List<Event> all = plant(40);
        Event here = all.get(14);
        done(events.update(here.id(), e -> new Event(e.id(), e.device(), 3, 0)));
        Cursor cursor = new Cursor(here.created(), here.id());
        Page<Event> page = events.query("event:created").after(cursor).limit(5).page();
        assertThat(page.values()).isEqualTo(all.subList(15, 20));
        page = events.query("event:created").newestFirst().after(cursor).limit(5).page();
        assertThat(page.values()).isEqualTo(all.reversed().subList(26, 31));
    }

    @Test
    void scores_may_be_negative_fractions_and_far_away() {
        List<Double> levels =
                List.of(
                        -1e300,
                        -123456789012345.7,
                        -2.5,
                        -2.0,
                        -0.1,
                        -1e-9,
                        -0.0,
                        1e-9,
                        0.1,
                        0.30000000000000004,
                        1.0,
                        9007199254740992.0,
                        1.7976931348623157e308);
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < levels.size(); i++) {
            done(tanks.create(new Tank("t" + i, levels.get(i))));
            expected.add("t" + i);
        }
        Ask<Tank> all = () -> tanks.query("tanks");
        assertThat(pages(all, false, 3)).isEqualTo(expected);
        assertThat(pages(all, true, 3)).isEqualTo(expected.reversed());
        for (int i = 0; i < levels.size(); i++) {
            double level = levels.get(i);
            assertThat(tanks.query("tanks").between(level, level).page().values())
                    .extracting(Tank::tank)
                    .containsExactly("t" + i);
            assertThat(tanks.query("tanks").between(level, Double.POSITIVE_INFINITY).count())
                    .isEqualTo(levels.size() - i);
        }
    }

    @Test
    void a_score_that_is_no_number_is_not_accepted() {
        for (double level : List.of(Double.NaN, Double.POSITIVE_INFINITY)) {
            Outcome<Stored<Tank>> refused = tanks.create(new Tank("t", level));
            notDone(Reason.REFUSED, refused);
            assertThat(refused.toString()).contains("finite");
            notDone(
                    Reason.REFUSED,
                    keyspace.commit("t").create(Plant.TANKS, new Tank("t", level)).run());
        }
        assertThat(allKeys()).isEmpty();
    }

    @Test
    void an_empty_index_has_an_empty_page() {
        for (String index : List.of("event", "event:created", "event:pushed")) {
            Page<Event> page = events.query(index).newestFirst().page();
            assertThat(page.items()).isEmpty();
            assertThat(page.next()).isEmpty();
            assertThat(events.query(index).after(new Cursor(5, "x")).page().items()).isEmpty();
            assertThat(events.query(index).between(0, 9).count()).isZero();
            assertThat(done(events.query(index).delete(progress -> {}))).isZero();
        }
        assertThat(notices.query("notice-label:{label}", "none").page().items()).isEmpty();
        assertThat(notices.query("notice-label:{label}", "none").count()).isZero();
    }

    @Test
    void a_set_is_read_in_the_order_of_ids_in_both_directions() {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            String slug = "s" + i;
            String id = Shards.mint(slug);
            done(notices.create(new Notice(id, slug, null, List.of("all", "third" + i % 3))));
            expected.add(id);
        }
        expected.sort(Comparator.naturalOrder());
        Ask<Notice> all = () -> notices.query("notice-label:{label}", "all");
        assertThat(pages(all, false, 7)).isEqualTo(expected);
        assertThat(pages(all, true, 7)).isEqualTo(expected.reversed());
        assertThat(all.query().count()).isEqualTo(30);
        assertThat(notices.query("notice-label:{label}", "third1").count()).isEqualTo(10);
    }

    @Test
    void equal_scores_are_sorted_by_bytes_not_by_letters() {
        List<String> names = List.of("~a", "A", "Z", "_", "a", "z", "0", "-", ".");
        names.forEach(name -> done(tanks.create(new Tank(name, 1))));
        List<String> expected = names.stream().sorted().toList();
        assertThat(pages(() -> tanks.query("tanks"), false, 2)).isEqualTo(expected);
        assertThat(pages(() -> tanks.query("tanks"), true, 2)).isEqualTo(expected.reversed());
        String middle = expected.get(4);
        done(tanks.delete(middle));
        assertThat(tanks.query("tanks").after(new Cursor(1, middle)).page().values())
                .extracting(Tank::tank)
                .isEqualTo(expected.subList(5, expected.size()));
    }

    @Test
    void what_a_page_shows_can_be_replaced_together_with_other_things_of_its_owner() {
        List<Event> all = plant(10);
        String foreign = "57ba04a1189b95b8afcdafd7";
        done(events.create(new Event(foreign, "device3", 99, 0)));
        for (Stored<Event> stored : events.query("event:created").page().items()) {
            Event old = stored.value();
            done(
                    keyspace.commit(old.device())
                            .replace(Plant.EVENTS, stored, new Event(old.id(), old.device(), 1, 1))
                            .increment(Plant.COUNTER.at(old.device()), 1)
                            .run());
        }
        assertThat(events.query("event:pushed").count()).isEqualTo(all.size() + 1);
        Stored<Event> stored = events.get(foreign).orElseThrow();
        done(keyspace.commit("device3").replace(Plant.EVENTS, stored, stored.value()).run());
    }

    @Test
    void a_query_that_makes_no_sense_is_told() {
        assertThatThrownBy(() -> events.query("event:colour")).hasMessageContaining("no index");
        assertThatThrownBy(() -> events.query("event:device:{device}"))
                .hasMessageContaining("takes 1 values");
        assertThatThrownBy(() -> events.query("event").limit(0)).hasMessageContaining("1 to");
        assertThatThrownBy(() -> events.query("event").limit(10_001)).hasMessageContaining("1 to");
        assertThatThrownBy(() -> notices.query("notice-slug").page())
                .hasMessageContaining("Store.find");
        assertThatThrownBy(() -> notices.find("notices", "x")).hasMessageContaining("not a unique");
        assertThatThrownBy(() -> Cursor.parse("%%%")).hasMessageContaining("not a valid cursor");
        assertThatThrownBy(() -> Cursor.parse("")).hasMessageContaining("not a valid cursor");
    }

    @Test
    void a_set_that_is_too_large_is_told_instead_of_read() {
        driftIsExpected();
        int most = Query.LARGEST_SET;
        for (int from = 0; from <= most; from += 1000) {
            String[] members =
                    IntStream.range(from, from + 1000)
                            .mapToObj(Integer::toString)
                            .toArray(String[]::new);
            raw(Declaration.SITE, "SADD", "alarm:rule:index", members);
        }
        assertThatThrownBy(() -> keyspace.store(Plant.RULES).query("alarm:rule:index").page())
                .isInstanceOf(RedisException.class)
                .hasMessageContaining("101000 members");
    }

    @Test
    void a_set_is_read_in_the_order_of_its_members_and_its_values_step_by_step() {
        int count = 450;
        Store<Rule> rules = keyspace.store(Plant.RULES);
        Set<String> made = new TreeSet<>();
        for (int i = 0; i < count; i++) {
            String id = "r" + (i * 7919) % 100_000;
            done(rules.create(new Rule(id, "comsrv:1:T", "101", i, true)));
            made.add(id);
        }
        assertThat(rules.query("alarm:rule:index").limit(1000).page().items())
                .extracting(Stored::id)
                .containsExactlyElementsOf(made);
        List<String> paged = new ArrayList<>();
        Query<Rule> query = rules.query("alarm:rule:index").limit(40);
        Page<Rule> page = query.page();
        page.items().forEach(each -> paged.add(each.id()));
        while (page.next().isPresent()) {
            page = query.after(page.next().get()).page();
            page.items().forEach(each -> paged.add(each.id()));
        }
        assertThat(paged).containsExactlyElementsOf(made);
    }

    /** Ten thousand hashes in one call would hold up everybody else for a third of a second. */
    @Test
    void no_call_reads_more_than_two_hundred_values_of_a_set() {
        Store<Rule> rules = keyspace.store(Plant.RULES);
        for (int i = 0; i < 450; i++) {
            done(rules.create(new Rule("r" + i, "comsrv:1:T", "101", i, true)));
        }
        TestServer server = SharedServers.standalone();
        server.command("CONFIG", "RESETSTAT");
        assertThat(rules.query("alarm:rule:index").limit(1000).page().items()).hasSize(450);
        String calls = String.valueOf(server.command("INFO", "commandstats"));
        // On a cluster these are of the server that nobody asked.
        assertThat(calls.contains("cmdstat_evalsha:calls=4,")).isEqualTo(!site.cluster());
        assertThat(calls.contains("cmdstat_hgetall:calls=450,")).isEqualTo(!site.cluster());
    }

    // ---------------------------------------------------------------- delete by range

    @Test
    void a_delete_by_range_goes_in_steps_and_takes_nothing_else() {
        List<Event> all = plant(250);
        List<Long> progress = new ArrayList<>();
        long deleted = done(events.query("event:created").between(2, 22).delete(progress::add));
        assertThat(deleted).isEqualTo(210);
        assertThat(progress).containsExactly(100L, 200L, 210L);
        assertThat(pages(() -> events.query("event"), false, 100))
                .containsExactlyInAnyOrderElementsOf(
                        ids(
                                all.stream()
                                        .filter(e -> e.created() < 2 || e.created() > 22)
                                        .toList()));
    }

    @Test
    void a_delete_by_range_of_one_device_deletes_foreign_ids_too() {
        for (int i = 0; i < 30; i++) {
            String id = i % 2 == 0 ? Shards.mint("pump") : "%024x".formatted(i * 977L);
            done(events.create(new Event(id, i < 20 ? "pump" : "mill", i, 0)));
        }
        assertThat(done(events.query("event:device:{device}", "pump").delete(each -> {})))
                .isEqualTo(20);
        assertThat(events.query("event").count()).isEqualTo(10);
        assertThat(done(events.query("event").delete(each -> {}))).isEqualTo(10);
        assertThat(allKeys()).isEmpty();
    }

    @Test
    void a_set_is_deleted_too() {
        for (int i = 0; i < 150; i++) {
            String slug = "s" + i;
            done(notices.create(new Notice(Shards.mint(slug), slug, null, List.of("old"))));
        }
        assertThat(done(notices.query("notice-label:{label}", "old").delete(each -> {})))
                .isEqualTo(150);
        assertThat(allKeys()).isEmpty();
    }

    @Test
    void a_delete_by_range_spares_what_concurrent_writers_move_out_of_it() {
        List<Event> all = plant(200);
        Set<String> rescued = ConcurrentHashMap.newKeySet();
        AtomicLong deleted = new AtomicLong();
        Crowd.run(
                5,
                thread -> {
                    if (thread == 0) {
                        Query<Event> range = events.query("event:created").between(0, 100);
                        deleted.set(done(range.delete(each -> {})));
                        return;
                    }
                    for (int i = thread; i < all.size() && deleted.get() == 0; i += 8) {
                        Event event = all.get(all.size() - 1 - i);
                        Event later = new Event(event.id(), event.device(), 1000 + i, 0);
                        if (events.update(event.id(), old -> later).isDone()) {
                            rescued.add(event.id());
                        }
                    }
                });
        List<Event> left = events.query("event:created").limit(1000).page().values();
        assertThat(left).extracting(Event::id).containsExactlyInAnyOrderElementsOf(rescued);
        assertThat(left).allMatch(event -> event.created() >= 1000);
        assertThat(deleted).hasValue(all.size() - rescued.size());
    }
}
