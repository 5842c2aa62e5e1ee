package dev.millrace.keyspace.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.junit.jupiter.api.Test;

import java.util.List;

/** What travels together, and what must wait so that an owner's writes stay in order. */
final class BatchTest {
    private static final Script SCRIPT = Script.of(BatchTest.class, "nothing");
    private static final Script OTHER = Script.of(BatchTest.class, "other");
    private static final int PUMP = 1;
    private static final int VALVE = 2;

    private final Batch batch = new Batch();

    private static Request commit(int order, int slot) {
        return commit(SCRIPT, order, slot);
    }

    private static Request commit(Script script, int order, int slot) {
        return Request.grouped(
                script, null, order, slot, Frame.of(new byte[] {'k'}), Frame.of(new byte[0]));
    }

    private static Request script(int order) {
        return Request.script(SCRIPT, order, 0, new byte[][] {{'k'}});
    }

    private static Request read(int order) {
        return Request.reading(order, 0, new byte[] {'G'});
    }

    @Test
    void commits_of_one_slot_become_one_call() {
        List<Request> commits = List.of(commit(PUMP, 0), commit(VALVE, 0), commit(PUMP, 0));
        assertThat(commits).allMatch(batch::add);
        assertThat(batch.units).hasSize(1);
        assertThat(batch.units.getFirst().members).isEqualTo(commits);
    }

    @Test
    void commits_of_several_slots_become_a_call_for_each() {
        assertThat(List.of(commit(PUMP, 0), commit(VALVE, 9), commit(PUMP, 0)))
                .allMatch(batch::add);
        assertThat(batch.units).extracting(unit -> unit.members.size()).containsExactly(2, 1);
    }

    @Test
    void a_second_writing_unit_of_an_owner_waits_for_the_next_batch() {
        assertThat(batch.add(commit(PUMP, 0))).isTrue();
        assertThat(batch.add(script(PUMP))).isFalse();
        assertThat(batch.add(script(VALVE))).isTrue();
        assertThat(batch.add(script(VALVE))).isFalse();
        assertThat(batch.add(commit(VALVE, 0))).isFalse();
    }

    @Test
    void calls_of_two_scripts_in_one_slot_become_a_call_for_each() {
        assertThat(List.of(commit(PUMP, 0), commit(OTHER, VALVE, 0), commit(PUMP, 0)))
                .allMatch(batch::add);
        assertThat(batch.units).extracting(unit -> unit.members.size()).containsExactly(2, 1);
        assertThat(batch.units).extracting(Batch.Unit::script).containsExactly(SCRIPT, OTHER);
    }

    @Test
    void what_has_no_order_waits_for_nothing_and_nothing_waits_for_it() {
        assertThat(
                        List.of(
                                commit(PUMP, 0),
                                script(PUMP).unordered(),
                                script(PUMP).unordered(),
                                commit(OTHER, PUMP, 0).unordered(),
                                commit(PUMP, 0)))
                .allMatch(batch::add);
        assertThat(batch.units).extracting(unit -> unit.members.size()).containsExactly(2, 1, 1, 1);
        assertThat(batch.add(script(PUMP))).as("has an order").isFalse();
        assertThat(batch.add(script(VALVE).unordered())).isTrue();
        assertThat(batch.add(script(VALVE))).isTrue();
    }

    @Test
    void what_has_no_order_and_was_sent_back_alone_has_a_call_of_its_own() {
        for (int i = 0; i < 3; i++) {
            Request alone = commit(PUMP, 0).unordered();
            alone.alone = true;
            assertThat(batch.add(alone)).isTrue();
        }
        assertThat(batch.add(commit(PUMP, 0).unordered())).isTrue();
        assertThat(batch.add(commit(VALVE, 0).unordered())).isTrue();
        assertThat(batch.units).extracting(unit -> unit.members.size()).containsExactly(1, 1, 1, 2);
    }

    @Test
    void a_full_group_ends_the_batch_so_that_nothing_slips_past_it() {
        Frame many = new Frame();
        for (int i = 0; i < 700; i++) {
            many.add("k");
        }
        assertThat(batch.add(Request.grouped(SCRIPT, null, PUMP, 0, many, many))).isTrue();
        assertThat(batch.add(Request.grouped(SCRIPT, null, PUMP, 0, many, many))).isFalse();
        assertThat(batch.units.getFirst().members).hasSize(1);
    }

    /** A commit of one hash with so many fields. */
    private static Request fields(int order, int fields) {
        Frame args = new Frame().add("H").add(1).add(2L * fields + 1).add(fields);
        for (int i = 0; i < fields; i++) {
            args.add(i).add("value");
        }
        return Request.grouped(SCRIPT, null, order, 0, new Frame().add("hash"), args);
    }

    @Test
    void a_group_of_commits_with_many_arguments_ends_before_it_holds_up_the_server() {
        int taken = 0;
        while (batch.add(fields(PUMP, 1000))) {
            taken++;
        }
        assertThat(taken).isEqualTo(2);
        assertThat(batch.units.getFirst().members).hasSize(2);
        int words = batch.units.getFirst().members.stream().mapToInt(Request::words).sum();
        assertThat(words).isLessThanOrEqualTo(Batch.MAX_GROUP_WORDS);
    }

    @Test
    void a_commit_with_more_arguments_than_a_group_takes_travels_alone() {
        assertThat(batch.add(fields(PUMP, 5000))).isTrue();
        assertThat(batch.add(fields(VALVE, 1))).isFalse();
        assertThat(batch.units.getFirst().members).hasSize(1);
    }

    @Test
    void reads_travel_with_everything() {
        assertThat(List.of(read(PUMP), commit(PUMP, 0), read(PUMP), commit(PUMP, 0)))
                .allMatch(batch::add);
        assertThat(batch.units).hasSize(3);
    }

    @Test
    void a_commit_that_was_sent_back_alone_has_a_call_of_its_own() {
        Request alone = commit(PUMP, 0);
        alone.alone = true;
        assertThat(batch.add(alone)).isTrue();
        assertThat(batch.add(commit(VALVE, 0))).isTrue();
        assertThat(batch.add(commit(PUMP, 0))).isFalse();
        assertThat(batch.units).hasSize(2);
    }

    @Test
    void a_group_ends_before_it_holds_up_the_server() {
        int taken = 0;
        while (batch.add(commit(PUMP, 0))) {
            taken++;
        }
        assertThat(taken).isBetween(200, 800);
    }

    @Test
    void a_batch_ends_before_it_grows_large_but_takes_a_large_request() {
        Frame large = Frame.of(new byte[3 * 1024 * 1024]);
        assertThat(batch.add(Request.grouped(SCRIPT, null, PUMP, 0, large, large))).isTrue();
        assertThat(batch.add(commit(VALVE, 0))).isFalse();
    }

    @Test
    void what_nobody_waits_for_any_more_is_not_sent() {
        Request late = commit(PUMP, 0);
        batch.add(late);
        batch.add(commit(VALVE, 0));
        late.expire(new RedisException(Reason.UNAVAILABLE, "too late"));
        assertThat(batch.units.getFirst().markSent()).isTrue();
        assertThat(batch.units.getFirst().members).hasSize(1);
    }
}
