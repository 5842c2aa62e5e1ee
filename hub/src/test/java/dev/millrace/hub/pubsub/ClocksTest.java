package dev.millrace.hub.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub.Reply;
import dev.millrace.hub.pubsub.channels.AckHandle;
import dev.millrace.hub.pubsub.channels.ClockRing;
import dev.millrace.hub.pubsub.channels.ClockRingTest;
import dev.millrace.keyspace.testing.OnEachSite;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;

/** Clocks near both ends of their range, gone, gone back, or no numbers at all. */
@OnEachSite
final class ClocksTest extends PubsubContract {

    private void clocks(String cursor, String clock) {
        set("c.{ch}.clock", Long.toString(ClockRingTest.clock(clock)));
        set("c.{ch}.r.s", Long.toString(ClockRingTest.clock(cursor)));
    }

    /** Stores a message as another server would. */
    private void stored(long clock) {
        set("c.{ch}.m." + clock, "{\"id\":\"m" + clock + "\",\"content\":0}");
    }

    private static String id(String clock) {
        return "m" + ClockRingTest.clock(clock);
    }

    @ParameterizedTest
    @CsvSource({
        "100, 100, 64, ''",
        "-2, 2, 64, -1 0 1 2",
        "-102, -99, 64, -101 -100 -99",
        "MAX-2, MIN+1, 64, MAX-1 MAX MIN MIN+1",
        "MAX-2, MIN+100, 5, MAX-1 MAX MIN MIN+1 MIN+2",
        "MAX, MIN, 64, MIN",
        "MIN, MIN, 64, ''"
    })
    void what_is_unread_follows_from_cursor_and_clock(
            String cursor, String clock, int max, String unread) {
        clocks(cursor, clock);
        List<String> expected = new ArrayList<>();
        long at = ClockRingTest.clock(cursor);
        for (int i = 0; i < 101 && at != ClockRingTest.clock(clock); i++) {
            at = ClockRing.next(at);
            // An id is lower case, so a minus cannot stand first.
            stored(at);
        }
        for (String each : unread.isEmpty() ? new String[0] : unread.split(" ")) {
            expected.add(id(each));
        }
        Reply page = fetch("ch", "s", "?max=" + max);
        assertThat(ids(page)).isEqualTo(expected);
        if (!expected.isEmpty()) {
            assertThat(acknowledge("ch", "s", handle(page)).status()).isEqualTo(204);
            String last = unread.substring(unread.lastIndexOf(' ') + 1);
            assertThat(get("c.{ch}.r.s")).isEqualTo(Long.toString(ClockRingTest.clock(last)));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 4, 0, false",
        "0, 4, 1, true",
        "0, 4, 2, true",
        "0, 4, 4, true",
        "0, 4, 5, false",
        "-1024, -1000, -1024, false",
        "-1024, -1000, -1012, true",
        "-1024, -1000, -999, false",
        "MAX, MIN, MAX-1, false",
        "MAX, MIN, MAX, false",
        "MAX, MIN, MIN, true",
        "MAX, MIN, MIN+1, false",
        "MAX-16, MIN+16, MAX-16, false",
        "MAX-16, MIN+16, MAX-15, true",
        "MAX-16, MIN+16, MAX, true",
        "MAX-16, MIN+16, MIN, true",
        "MAX-16, MIN+16, MIN+16, true",
        "MAX-16, MIN+16, MIN+17, false"
    })
    void an_acknowledgement_moves_the_cursor_only_forward(
            String cursor, String clock, String acknowledged, boolean moves) {
        clocks(cursor, clock);
        long at = ClockRingTest.clock(acknowledged);
        assertThat(acknowledge("ch", "s", AckHandle.of("redis1", "ch", "s", at)).status())
                .isEqualTo(204);
        assertThat(get("c.{ch}.r.s"))
                .isEqualTo(Long.toString(moves ? at : ClockRingTest.clock(cursor)));
        assertThat(secondsLeft("c.{ch}.r.s") > 1000).isEqualTo(moves);
        assertThat(secondsLeft("c.{ch}.clock") > 1000).isEqualTo(moves);
    }

    @Test
    void publishing_goes_round() {
        set("c.{ch}.clock", Long.toString(ClockRing.MAX - 1));
        publish("ch", "a", "1");
        publish("ch", "a", "2");
        assertThat(get("c.{ch}.clock")).isEqualTo(MAX);
        publish("ch", "b", "1");
        publish("ch", "c", "1");
        assertThat(get("c.{ch}.m." + MAX)).isEqualTo("{\"id\":\"a\",\"content\":1}");
        assertThat(get("c.{ch}.m." + MIN)).isEqualTo("{\"id\":\"b\",\"content\":1}");
        assertThat(get("c.{ch}.m.-9007199254740990")).isEqualTo("{\"id\":\"c\",\"content\":1}");
        assertThat(get("c.{ch}.mid.b")).isEqualTo(MIN);
        assertThat(get("c.{ch}.clock")).isEqualTo("-9007199254740990");
    }

    @Test
    void a_page_across_the_end_is_acknowledged_as_a_whole() {
        set("c.{ch}.clock", Long.toString(ClockRing.MAX - 1));
        subscribe("ch", "s");
        publish("ch", "a", "1");
        publish("ch", "b", "1");
        Reply page = fetch("ch", "s", "");
        assertThat(ids(page)).containsExactly("a", "b");
        acknowledge("ch", "s", handle(page));
        assertThat(unread("ch", "s")).isEmpty();
    }

    @Test
    void expired_messages_leave_no_gap_and_block_nobody() {
        subscribe("ch", "s");
        for (int i = 1; i <= 200; i++) {
            publish("ch", "m" + i, "0");
        }
        for (int i = 1; i <= 150; i++) {
            redis("DEL", "c.{ch}.m." + i);
        }
        redis("DEL", "c.{ch}.m.160");
        Reply page = fetch("ch", "s", "?max=20");
        assertThat(ids(page))
                .hasSize(20)
                .startsWith("m151")
                .endsWith("m171")
                .doesNotContain("m160");
        assertThat(get("c.{ch}.r.s")).isEqualTo("150");
        for (int i = 151; i <= 200; i++) {
            redis("DEL", "c.{ch}.m." + i);
        }
        Reply empty = fetch("ch", "s", "");
        assertThat(ids(empty)).isEmpty();
        assertThat(empty.json().get("moreMessages").asBoolean()).isFalse();
        assertThat(get("c.{ch}.r.s")).isEqualTo("200");
    }

    @Test
    void a_very_long_way_over_expired_messages_is_gone_in_steps() {
        clocks("0", "20000");
        stored(19999);
        Reply page = fetch("ch", "s", "");
        assertThat(ids(page)).containsExactly("m19999");
        assertThat(get("c.{ch}.r.s")).isEqualTo("19998");
    }

    @ParameterizedTest
    @CsvSource({"500, 3, 0", "30000, 20000, 10000", "MIN+5, MAX-5, 9007199254730986"})
    void a_clock_that_went_back_delivers_again_rather_than_losing(
            String cursor, String clock, String begins) {
        clocks(cursor, clock);
        stored(ClockRingTest.clock(clock));
        assertThat(unread("ch", "s")).containsExactly(id(clock));
        long moved = Long.parseLong(String.valueOf(get("c.{ch}.r.s")));
        // Behind what has expired between there and the message.
        assertThat(moved).isGreaterThanOrEqualTo(Long.parseLong(begins));
        assertThat(moved).isEqualTo(ClockRingTest.clock(clock) - 1);
    }

    @Test
    void a_clock_that_went_back_near_the_end_delivers_again_what_is_before_the_end() {
        clocks("MIN+50", "MIN+5");
        stored(ClockRing.MAX - 100);
        stored(ClockRing.MIN + 1);
        assertThat(unread("ch", "s")).containsExactly(id("MAX-100"), id("MIN+1"));
    }

    @Test
    void what_is_gone_is_told_or_begun_anew() {
        subscribe("ch", "s");
        publish("ch", "m1", "0");
        String handle = handle(fetch("ch", "s", ""));
        redis("DEL", "c.{ch}.clock");
        assertThat(fetch("ch", "s", "").status()).isEqualTo(404);
        assertThat(acknowledge("ch", "s", handle).status()).isEqualTo(404);
        subscribe("ch", "s");
        assertThat(get("c.{ch}.clock")).isEqualTo("0");
        assertThat(get("c.{ch}.r.s")).isEqualTo("0");
        publish("ch", "m2", "0");
        assertThat(get("c.{ch}.clock")).isEqualTo("1");
        assertThat(unread("ch", "s")).containsExactly("m2");
        redis("DEL", "c.{ch}.mid.m2");
        publish("ch", "m2", "0");
        assertThat(unread("ch", "s")).containsExactly("m2", "m2");
        redis("DEL", "c.{ch}.r.s");
        assertThat(fetch("ch", "s", "").status()).isEqualTo(404);
        assertThat(hub.send("DELETE", polling("ch", "s"), "").status()).isEqualTo(200);
        subscribe("ch", "s");
        assertThat(get("c.{ch}.r.s")).isEqualTo("2");
    }

    @ParameterizedTest
    @CsvSource({"x", "1.5", "1e3", "0x10", "''", "9007199254740992", "' 5'"})
    void a_clock_that_is_no_number_counts_as_missing(String text) {
        set("c.{ch}.clock", text);
        set("c.{ch}.r.s", "0");
        assertThat(fetch("ch", "s", "").status()).isEqualTo(404);
        publish("ch", "m", "0");
        assertThat(get("c.{ch}.clock")).isEqualTo("1");
        assertThat(unread("ch", "s")).containsExactly("m");
        set("c.{ch}.r.s", text);
        assertThat(fetch("ch", "s", "").status()).isEqualTo(404);
        subscribe("ch", "s");
        assertThat(get("c.{ch}.r.s")).isEqualTo("1");
    }

    @Test
    void a_stored_message_that_is_none_is_left_out() {
        clocks("0", "3");
        stored(1);
        set("c.{ch}.m.2", "nonsense");
        set("c.{ch}.m.3", "{ \"x\": 1, \"content\": { \"a\" : 1 }, \"id\": \"m3\" }");
        assertThat(unread("ch", "s")).containsExactly("m1", "m3");
        assertThat(fetch("ch", "s", "").body()).contains("\"content\":{ \"a\" : 1 }}]");
    }

    @Test
    void a_page_of_nothing_that_could_be_read_does_not_hide_what_follows() {
        clocks("0", "5");
        for (int i = 1; i <= 4; i++) {
            set("c.{ch}.m." + i, "nonsense");
        }
        stored(5);
        Reply page = fetch("ch", "s", "?max=2");
        assertThat(ids(page)).containsExactly("m5");
        acknowledge("ch", "s", handle(page));
        assertThat(get("c.{ch}.r.s")).isEqualTo("5");
    }

    @Test
    void a_subscriber_may_begin_on_the_other_side_of_the_end() {
        clocks(MAX, Long.toString(ClockRing.MIN + 1));
        for (long clock :
                new long[] {ClockRing.MAX - 1, ClockRing.MAX, ClockRing.MIN, ClockRing.MIN + 1}) {
            stored(clock);
        }
        hub.send("PUT", polling("ch", "first") + "?from=earliest", "");
        assertThat(get("c.{ch}.r.first")).isEqualTo(Long.toString(ClockRing.MAX - 2));
        assertThat(unread("ch", "first")).hasSize(4);
        hub.send("PUT", polling("ch", "there") + "?from=clock:" + MIN, "");
        assertThat(get("c.{ch}.r.there")).isEqualTo(MAX);
        assertThat(unread("ch", "there")).hasSize(2);
    }

    @Test
    void a_cursor_that_is_put_behind_expired_messages_does_not_live_for_ever() {
        clocks("0", "3");
        stored(3);
        assertThat(unread("ch", "s")).hasSize(1);
        assertThat(get("c.{ch}.r.s")).isEqualTo("2");
        assertThat(secondsLeft("c.{ch}.r.s")).isGreaterThan(1000);
        clocks("0", "3");
        redis("DEL", "c.{ch}.m.3");
        assertThat(unread("ch", "s")).isEmpty();
        assertThat(get("c.{ch}.r.s")).isEqualTo("3");
        assertThat(secondsLeft("c.{ch}.r.s")).isGreaterThan(1000);
    }
}
