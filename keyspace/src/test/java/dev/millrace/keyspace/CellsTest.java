package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.store.Cells;
import dev.millrace.keyspace.store.Cells.Scored;
import dev.millrace.keyspace.store.Held;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reading cells: what is in each, and what is in the way of none but its own question. */
@OnEachSite
final class CellsTest extends EngineContract {
    private static final String OWNER = "pump";

    CellsTest(Site site) {
        super(site);
    }

    @Override
    protected Catalogue catalogue() {
        return Plant.CATALOGUE;
    }

    private static <T> Held<T> value(T value) {
        return new Held.Value<>(value);
    }

    private Cells cells() {
        return keyspace.cells();
    }

    @Test
    void each_type_of_cell_is_read() {
        raw(OWNER, "HSET", "values:pump", "101", "3.2", "102", "ü");
        raw(OWNER, "SADD", "tags:pump", "hot", "loud");
        raw(OWNER, "ZADD", "times:pump", "1", "a", "2.5", "b", "3", "c");
        raw(OWNER, "RPUSH", "queue:pump", "newest", "older", "oldest");
        raw(OWNER, "SET", "counter:pump", "42");
        assertThat(cells().hash(Plant.VALUES.at(OWNER)).answer())
                .isEqualTo(value(Map.of("101", "3.2", "102", "ü")));
        assertThat(cells().fields(Plant.VALUES.at(OWNER), List.of("102", "103")).answer())
                .isEqualTo(value(Map.of("102", "ü")));
        assertThat(cells().members(Plant.TAGS.at(OWNER), 10).answer())
                .isEqualTo(value(Set.of("hot", "loud")));
        assertThat(cells().members(Plant.TAGS.at(OWNER), 1).answer().or(Set.of())).hasSize(1);
        assertThat(cells().sorted(Plant.TIMES.at(OWNER), -2, -1).answer())
                .isEqualTo(value(List.of(new Scored("b", 2.5), new Scored("c", 3))));
        assertThat(cells().sortedBetween(Plant.TIMES.at(OWNER), 2, 9, 1).answer())
                .isEqualTo(value(List.of(new Scored("b", 2.5))));
        assertThat(
                        cells().sortedBetween(
                                        Plant.TIMES.at(OWNER),
                                        Double.NEGATIVE_INFINITY,
                                        Double.POSITIVE_INFINITY,
                                        10)
                                .answer()
                                .or(List.of()))
                .hasSize(3);
        assertThat(cells().list(Plant.QUEUE.at(OWNER), 0, 1).answer())
                .isEqualTo(value(List.of("newest", "older")));
        assertThat(cells().string(Plant.COUNTER.at(OWNER)).answer()).isEqualTo(value("42"));
        assertThat(cells().number(Plant.COUNTER.at(OWNER)).answer()).isEqualTo(value(42L));
        assertThat(cells().size(Plant.TIMES.at(OWNER)).answer()).isEqualTo(value(3L));
        assertThat(cells().size(Plant.TAGS.at(OWNER)).answer()).isEqualTo(value(2L));
        assertThat(cells().size(Plant.VALUES.at(OWNER)).answer()).isEqualTo(value(2L));
        assertThat(cells().size(Plant.QUEUE.at(OWNER)).answer()).isEqualTo(value(3L));
    }

    /** Every question that there is. */
    private static List<Cells.Question<?>> all(Cells cells) {
        return List.of(
                cells.hash(Plant.VALUES.at(OWNER)),
                cells.fields(Plant.VALUES.at(OWNER), List.of("101", "102")),
                cells.fields(Plant.VALUES.at(OWNER), List.of()),
                cells.members(Plant.TAGS.at(OWNER), 10),
                cells.sorted(Plant.TIMES.at(OWNER), 0, -1),
                cells.sortedBetween(Plant.TIMES.at(OWNER), 0, 9, 9),
                cells.list(Plant.QUEUE.at(OWNER), 0, -1),
                cells.string(Plant.COUNTER.at(OWNER)),
                cells.number(Plant.COUNTER.at(OWNER)),
                cells.size(Plant.TAGS.at(OWNER)));
    }

    @Test
    void what_is_not_there_is_nothing() {
        assertThat(all(cells())).allMatch(each -> each.answer() instanceof Held.Nothing<?>);
        assertThat(cells().number(Plant.COUNTER.at(OWNER)).answer().or(0L)).isZero();
    }

    @Test
    void what_holds_another_type_says_so_and_is_in_nobody_elses_way() {
        driftIsExpected();
        for (String key : List.of("values:pump", "tags:pump", "times:pump", "queue:pump")) {
            raw(OWNER, "SET", key, "x");
        }
        raw(OWNER, "RPUSH", "counter:pump", "x");
        raw("valve", "HSET", "values:valve", "101", "1");
        Cells cells = cells();
        List<Cells.Question<?>> wrong = new ArrayList<>(all(cells));
        Cells.Question<Map<String, String>> right = cells.hash(Plant.VALUES.at("valve"));
        assertThat(right.answer()).isEqualTo(value(Map.of("101", "1")));
        assertThat(wrong).allMatch(each -> each.answer() instanceof Held.SomethingElse<?>);
    }

    @Test
    void a_number_that_is_not_one_says_so() {
        raw(OWNER, "SET", "counter:pump", "many");
        assertThat(cells().number(Plant.COUNTER.at(OWNER)).answer())
                .isInstanceOf(Held.SomethingElse.class);
        assertThat(cells().string(Plant.COUNTER.at(OWNER)).answer()).isEqualTo(value("many"));
    }

    @Test
    void a_cell_is_not_read_as_what_it_is_not_declared_to_be() {
        assertThatThrownBy(() -> cells().hash(Plant.TAGS.at(OWNER)))
                .hasMessageContaining("cannot be read as");
        Cell stranger = Cell.of(KeyType.HASH, "stranger");
        assertThatThrownBy(() -> cells().hash(stranger.at())).hasMessageContaining("stranger");
    }

    @Test
    void more_than_a_queue_takes_are_read_too_and_answered_in_any_order() {
        int most = 3000;
        Set<String> expected = new HashSet<>();
        for (int i = 0; i < most; i += 100) {
            raw("c" + i, "HSET", "values:c" + i, "101", "" + i);
            expected.add("" + i);
        }
        Cells cells = cells();
        List<Cells.Question<Map<String, String>>> questions = new ArrayList<>();
        for (int i = 0; i < most; i++) {
            questions.add(cells.hash(Plant.VALUES.at("c" + i)));
        }
        Set<String> found = new HashSet<>();
        for (Cells.Question<Map<String, String>> question : questions.reversed()) {
            found.addAll(question.answer().or(Map.of()).values());
        }
        assertThat(found).isEqualTo(expected);
        assertThat(cells.hash(Plant.VALUES.at("c100")).answer())
                .as("asked later")
                .isEqualTo(value(Map.of("101", "100")));
    }

    @Test
    void nothing_leaves_before_the_first_answer_is_asked_for() {
        Cells cells = cells();
        List<Cells.Question<Long>> questions = new ArrayList<>();
        long before = redis.figures().requests();
        for (int i = 0; i < 100; i++) {
            questions.add(cells.size(Plant.VALUES.at("c" + i)));
        }
        assertThat(redis.figures().requests()).isEqualTo(before);
        questions.getFirst().answer();
        questions.forEach(Cells.Question::answer);
        assertThat(redis.figures().requests()).isEqualTo(before + 100);
    }
}
