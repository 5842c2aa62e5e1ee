package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.WorkQueue;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Lists from which work is taken. */
@OnEachSite
class WorkQueueTest extends EngineContract {
    private static final String OWNER = "pump";
    private static final Cell.Key TAGS = Plant.TAGS.at(OWNER);
    private static final Cell.Key QUEUE = Plant.QUEUE.at(OWNER);

    WorkQueueTest(Site site) {
        super(site);
    }

    @Override
    protected Catalogue catalogue() {
        return Plant.CATALOGUE;
    }

    private Commit commit() {
        return keyspace.commit(OWNER);
    }

    private List<String> queue() {
        return keyspace.cells().list(QUEUE, 0, -1).answer().or(List.of());
    }

    private static byte[] element(String text) {
        return text.getBytes(UTF_8);
    }

    @Test
    void an_element_is_taken_from_where_it_stands_and_by_one_only() {
        WorkQueue queue = WorkQueue.at(QUEUE);
        for (String each : List.of("a", "b", "a", "c")) {
            done(commit().append(QUEUE, element(each), 10).run());
        }
        Commit take = commit().with(queue.has(element("b"))).with(queue.without(element("b")));
        done(take.addMember(TAGS, "taken").run());
        assertThat(queue()).containsExactly("a", "a", "c");
        notDone(
                Reason.ABSENT,
                commit().with(queue.has(element("b")))
                        .with(queue.without(element("b")))
                        .addMember(TAGS, "twice")
                        .run());
        assertThat(keyspace.cells().members(TAGS, 10).answer().or(Set.of()))
                .containsExactly("taken");
        done(commit().with(queue.without(element("a"))).append(QUEUE, element("a"), 10).run());
        assertThat(queue()).as("the first of equal ones goes").containsExactly("a", "c", "a");
        byte[] noText = {(byte) 0xff, 0, 10};
        done(commit().append(QUEUE, noText, 10).run());
        assertThat(keyspace.cells().elements(QUEUE, -1, -1).answer().or(List.of()))
                .singleElement()
                .isEqualTo(noText);
        done(commit().with(queue.has(noText)).with(queue.without(noText)).run());
        done(commit().with(queue.without(element("none"))).run());
        assertThat(queue()).hasSize(3);
    }

    @Test
    void a_queue_is_looked_at_as_the_commit_before_has_left_it() {
        WorkQueue queue = WorkQueue.at(QUEUE);
        List<CompletableFuture<Outcome<Long>>> sent = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            sent.add(
                    commit().with(queue.shorterThan(3))
                            .append(QUEUE, element("x" + i), 100)
                            .send());
        }
        assertThat(sent.stream().map(CompletableFuture::join).filter(Outcome::isDone)).hasSize(3);
        notDone(Reason.CONFLICT, commit().with(queue.shorterThan(3)).run());
        done(commit().with(queue.shorterThan(4)).delete(QUEUE).run());
        done(commit().with(queue.shorterThan(1)).run());
        notDone(Reason.ABSENT, commit().with(queue.has(element("x0"))).run());
    }

    @Test
    void a_queue_that_is_something_else_refuses_the_whole() {
        WorkQueue queue = WorkQueue.at(QUEUE);
        raw(OWNER, "SET", QUEUE.key(), "x");
        notDone(Reason.WRONG_TYPE, commit().with(queue.shorterThan(3)).run());
        notDone(Reason.WRONG_TYPE, commit().with(queue.has(element("a"))).run());
        notDone(
                Reason.WRONG_TYPE,
                commit().addMember(TAGS, "a").with(queue.without(element("a"))).run());
        assertThat(keyspace.cells().members(TAGS, 10).answer().or(Set.of())).isEmpty();
        assertThatThrownBy(() -> commit().with(WorkQueue.at(TAGS).shorterThan(3)))
                .isInstanceOf(IllegalArgumentException.class);
        raw(OWNER, "DEL", QUEUE.key());
    }
}
