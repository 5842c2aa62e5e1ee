package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.CommitScript.Ops;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.testing.Dump;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * {@code Commit.run.lua} alone, called by hand: each letter passes, fails with its reason and takes
 * the keys and arguments it says, also in the middle of a call that carries other commits.
 */
final class CommitScriptFaultTest {
    private final TestServer server = SharedServers.standalone();
    private final CommitScript script = new CommitScript(server);

    @BeforeEach
    void empty() {
        server.flushAll();
    }

    private List<?> run(Ops... commits) {
        return script.run(commits);
    }

    private void plant(String... commands) {
        for (String command : String.join(";", commands).split(";", -1)) {
            if (!command.isEmpty()) {
                server.command(command.split(" "));
            }
        }
    }

    private Object ask(String command) {
        return server.command(command.split(" "));
    }

    // ---------------------------------------------------------------- checks

    /**
     * @param planted commands before, or nothing
     * @param answer what the script says: a reason and the operation's number, or {@code ok}
     */
    private record Check(String planted, Ops ops, String answer) {}

    private static Check check(
            String planted, String answer, String letter, String keys, String... args) {
        return new Check(planted, Ops.of(letter, keys, args), answer);
    }

    private static final List<Check> CHECKS =
            List.of(
                    check("", "ok", "a", "k"),
                    check("SET k v", "D1", "a", "k"),
                    check("LPUSH k v", "D1", "a", "k"),
                    check("SET k v", "ok", "e", "k", "v"),
                    check("SET k w", "C1", "e", "k", "v"),
                    check("", "A1", "e", "k", "v"),
                    check("LPUSH k v", "W1", "e", "k", "v"),
                    check("SET k v", "ok", "x", "k"),
                    check("LPUSH k v", "ok", "x", "k"),
                    check("", "A1", "x", "k"),
                    check("HSET k f v", "ok", "f", "k", "f", "v"),
                    check("HSET k f w", "C1", "f", "k", "f", "v"),
                    check("HSET k g v", "C1", "f", "k", "f", "v"),
                    check("", "C1", "f", "k", "f", "v"),
                    check("SET k v", "W1", "f", "k", "f", "v"),
                    check("", "ok", "n", "k", "f"),
                    check("HSET k g v", "ok", "n", "k", "f"),
                    check("HSET k f v", "C1", "n", "k", "f"),
                    check("SET k v", "W1", "n", "k", "f"),
                    check("ZADD k 0 m", "ok", "m", "k", "m"),
                    check("ZADD k 0 n", "A1", "m", "k", "m"),
                    check("", "A1", "m", "k", "m"),
                    check("SET k v", "W1", "m", "k", "m"),
                    check("SADD k m", "ok", "p", "k", "m"),
                    check("SADD k n", "A1", "p", "k", "m"),
                    check("", "A1", "p", "k", "m"),
                    check("ZADD k 0 m", "W1", "p", "k", "m"),
                    check("SET k 5", "ok", "l", "k", "5"),
                    check("SET k 4", "C1", "l", "k", "5"),
                    check("", "C1", "l", "k", "5"),
                    check("", "ok", "l", "k", "0"),
                    check("SET k many", "C1", "l", "k", "5"),
                    check("SET k nan", "C1", "l", "k", "5"),
                    check("LPUSH k 5", "W1", "l", "k", "5"),
                    check("SET k 5", "ok", "h", "k", "5"),
                    check("SET k 6", "C1", "h", "k", "5"),
                    check("", "ok", "h", "k", "5"),
                    check("SET k many", "C1", "h", "k", "5"),
                    check("SET k nan", "C1", "h", "k", "5"),
                    check("LPUSH k 5", "W1", "h", "k", "5"),
                    check("SET k 7", "ok", "g", "k", "7"),
                    check("", "ok", "g", "k", ""),
                    check("SET k 8", "C1", "g", "k", "7"),
                    check("", "C1", "g", "k", "7"),
                    check("LPUSH k 7", "W1", "g", "k", "7"),
                    check("SET k 7", "ok", "q", "k", "7"),
                    check("", "ok", "q", "k", "0"),
                    check("SET k 0", "ok", "q", "k", "0"),
                    check("SET k 8", "C1", "q", "k", "7"),
                    check("", "C1", "q", "k", "7"),
                    check("SET k many", "C1", "q", "k", "7"),
                    check("SET k nan", "C1", "q", "k", "7"),
                    check("LPUSH k 7", "W1", "q", "k", "7"),
                    check("", "ok", "u", "k", "f", "id"),
                    check("HSET k f id", "ok", "u", "k", "f", "id"),
                    check("HSET k f other", "D1", "u", "k", "f", "id"),
                    check("SET k v", "W1", "u", "k", "f", "id"),
                    check("", "ok", "k", "k kind", "id"),
                    check("SET k v", "R1", "k", "k kind", "id"),
                    check("SADD kind id", "ok", "k", "k kind", "id"),
                    check("SET k v;ZADD kind 0 id", "ok", "k", "k kind", "id"),
                    check("SET k v;ZADD kind 0 other", "R1", "k", "k kind", "id"),
                    check("SET k v;SADD kind id", "W1", "k", "k kind", "id"),
                    check("", "ok", "b", "k", "99999999999999"),
                    check("", "C1", "b", "k", "1"),
                    check("", "ok", "t", "k", "60000"),
                    check("LPUSH k 5", "W1", "t", "k", "60000"),
                    check("SET k rubbish", "W1", "t", "k", "60000"));

    @Test
    void each_check_passes_or_says_why_and_then_nothing_is_written() {
        for (Check check : CHECKS) {
            server.flushAll();
            plant(check.planted);
            Dump before = Dump.of(server);
            List<?> answer = run(check.ops.and(Ops.of("S", "written", "yes")));
            if (check.answer.equals("ok")) {
                assertThat(answer).as("%s", check).isEqualTo(List.of(0L));
                assertThat(ask("GET written")).as("%s", check).isEqualTo("yes");
            } else {
                assertThat(answer).as("%s", check).isEqualTo(List.of(check.answer));
                assertThat(Dump.of(server)).as("%s", check).isEqualTo(before);
            }
        }
    }

    @Test
    void a_failed_check_shifts_nothing_for_its_neighbours() {
        for (Check check : CHECKS) {
            server.flushAll();
            plant(check.planted);
            List<?> answers =
                    run(
                            Ops.of("aS", "first first", "1"),
                            Ops.of("ee", "first first", "1", "1")
                                    .and(check.ops)
                                    .and(Ops.of("S", "middle", "2")),
                            Ops.of("aZS", "third zset third", "5", "m", "3"));
            boolean passes = check.answer.equals("ok");
            Object expected = passes ? 0L : check.answer.replace('1', '3');
            assertThat(answers).as("%s", check).isEqualTo(List.of(0L, expected, 0L));
            assertThat(ask("MGET first middle third"))
                    .as("%s", check)
                    .isEqualTo(passes ? List.of("1", "2", "3") : listWithGap("1", null, "3"));
            assertThat(ask("ZSCORE zset m")).isEqualTo("5");
        }
    }

    private static List<String> listWithGap(String... items) {
        List<String> list = new ArrayList<>();
        Collections.addAll(list, items);
        return list;
    }

    // ---------------------------------------------------------------- writes

    private record Write(
            String planted, Ops ops, long answer, String question, Object reply, String type) {}

    private static Write write(
            String planted, String type, String question, Object reply, Ops ops) {
        return new Write(planted, ops, 0, question, reply, type);
    }

    private static final List<Write> WRITES =
            List.of(
                    write("SET k old", "string", "GET k", "v", Ops.of("S", "k", "v")),
                    write("", "string", "GET k", "v", Ops.of("X", "k", "v", "60000")),
                    write("", "any", "EXISTS k", 0L, Ops.of("D", "k")),
                    write("LPUSH k v", "any", "EXISTS k", 0L, Ops.of("D", "k")),
                    write("", "zset", "ZSCORE k m", "1.5", Ops.of("Z", "k", "1.5", "m")),
                    write("ZADD k 9 m", "zset", "ZSCORE k m", "-2", Ops.of("Z", "k", "-2", "m")),
                    write("ZADD k 1 m 2 n", "zset", "ZCARD k", 1L, Ops.of("Y", "k", "m")),
                    write("", "zset", "ZCARD k", 0L, Ops.of("Y", "k", "m")),
                    write("", "set", "SISMEMBER k m", 1L, Ops.of("A", "k", "m")),
                    write("SADD k m n", "set", "SISMEMBER k m", 0L, Ops.of("B", "k", "m")),
                    write("", "hash", "HGET k f", "v", Ops.of("U", "k", "f", "v")),
                    write("HSET k f v g w", "hash", "HEXISTS k f", 0L, Ops.of("V", "k", "f")),
                    write("HSET k f v g w", "hash", "HEXISTS k f", 0L, Ops.of("T", "k", "f", "v")),
                    write("HSET k f x g w", "hash", "HGET k f", "x", Ops.of("T", "k", "f", "v")),
                    write(
                            "HSET k c 9",
                            "hash",
                            "HMGET k a b c",
                            List.of("1", "2", "9"),
                            Ops.of("H", "k", "2", "a", "1", "b", "2")),
                    write(
                            "HSET k a 1 b 2 c 9",
                            "hash",
                            "HMGET k a b c",
                            listWithGap(null, null, "9"),
                            Ops.of("W", "k", "3", "a", "b", "x")),
                    write("", "hash", "HGET k f", "7", Ops.of("R", "k", "f", "7")),
                    write("HSET k f 6", "hash", "HGET k f", "7", Ops.of("R", "k", "f", "7")),
                    write("HSET k f 6.5", "hash", "HGET k f", "7", Ops.of("R", "k", "f", "7")),
                    write("HSET k f -8", "hash", "HGET k f", "-7", Ops.of("R", "k", "f", "-7")),
                    write("HSET k f 8", "hash", "HGET k f", "8", Ops.of("R", "k", "f", "7")),
                    write("HSET k f 7.5", "hash", "HGET k f", "7.5", Ops.of("R", "k", "f", "7")),
                    write("HSET k f abc", "hash", "HGET k f", "7", Ops.of("R", "k", "f", "7")),
                    write("HSET k f nan", "hash", "HGET k f", "7", Ops.of("R", "k", "f", "7")),
                    write("HSET k f inf", "hash", "HGET k f", "7", Ops.of("R", "k", "f", "7")),
                    write("HSET k f 1e999", "hash", "HGET k f", "7", Ops.of("R", "k", "f", "7")),
                    write("HSET k f 0xFF", "hash", "HGET k f", "7", Ops.of("R", "k", "f", "7")),
                    write(
                            "HSET k f 8 a 0",
                            "hash",
                            "HMGET k a f",
                            List.of("1", "8"),
                            Ops.of("HR", "k k", "1", "a", "1", "f", "7")),
                    write(
                            "HSET k f 6 a 0",
                            "hash",
                            "HMGET k a f",
                            List.of("1", "7"),
                            Ops.of("HR", "k k", "1", "a", "1", "f", "7")),
                    write(
                            "HSET k f 1",
                            "hash",
                            "HMGET k a f",
                            List.of("2", "7"),
                            Ops.of("HRHR", "k k k k", "1", "a", "1", "f", "7", "1", "a", "2")
                                    .and(new Ops("", List.of(), List.of("f", "6")))),
                    write("SADD s a b", "any", "HGET k f", "2", Ops.of("C", "k s", "f", "SCARD")),
                    write(
                            "HSET k f abc;ZADD s 1 a",
                            "any",
                            "HGET k f",
                            "1",
                            Ops.of("C", "k s", "f", "ZCARD")),
                    write("HSET k f 9", "any", "HGET k f", "0", Ops.of("C", "k s", "f", "HLEN")),
                    write(
                            "HSET k f 9;SET s x",
                            "any",
                            "HGET k f",
                            "9",
                            Ops.of("C", "k s", "f", "SCARD")),
                    write(
                            "SET k x;SADD s a",
                            "any",
                            "GET k",
                            "x",
                            Ops.of("C", "k s", "f", "SCARD")),
                    write("", "string", "GET k", "-3", Ops.of("I", "k", "-3")),
                    write("SET k 10", "string", "GET k", "7", Ops.of("I", "k", "-3")),
                    write("SET k -5", "string", "GET k", "-6", Ops.of("I", "k", "-1")),
                    write("SET k 0", "string", "GET k", "1", Ops.of("I", "k", "1")),
                    write("", "hash", "HGET k f", "4", Ops.of("J", "k", "f", "4")),
                    write("HSET k f 8", "hash", "HGET k f", "12", Ops.of("J", "k", "f", "4")),
                    write(
                            "RPUSH k b c",
                            "list",
                            "LRANGE k 0 -1",
                            List.of("a", "b"),
                            Ops.of("L", "k", "a", "2")),
                    write(
                            "RPUSH k a b",
                            "list",
                            "LRANGE k 0 -1",
                            List.of("b", "c"),
                            Ops.of("P", "k", "c", "2")),
                    new Write(
                            "SET seq 41",
                            Ops.of("Q", "k seq", "<", ">", "5"),
                            42,
                            "LRANGE k 0 -1",
                            List.of("<42>"),
                            "list"),
                    new Write(
                            "SET seq 41",
                            Ops.of("G", "k seq", "<", ">", "5"),
                            42,
                            "LRANGE k 0 -1",
                            List.of("<42>"),
                            "any"),
                    write(
                            "SET seq 41;SET k x",
                            "any",
                            "MGET seq k",
                            List.of("41", "x"),
                            Ops.of("G", "k seq", "<", ">", "5")),
                    write(
                            "HSET seq a 1",
                            "any",
                            "EXISTS k",
                            0L,
                            Ops.of("G", "k seq", "<", ">", "5")),
                    write(
                            "SET seq many",
                            "any",
                            "EXISTS k",
                            0L,
                            Ops.of("G", "k seq", "<", ">", "5")),
                    new Write(
                            "HSET state seq 41 bytes 3",
                            Ops.of("F", "k state", "body"),
                            42,
                            "HMGET state seq bytes",
                            List.of("42", "7"),
                            "stream"));

    @Test
    void each_write_writes() {
        for (Write write : WRITES) {
            server.flushAll();
            plant(write.planted);
            assertThat(run(write.ops)).as("%s", write).isEqualTo(List.of(write.answer));
            assertThat(ask(write.question)).as("%s", write).isEqualTo(write.reply);
        }
    }

    @Test
    void a_field_rises_over_what_the_commit_itself_has_left_of_it() {
        plant("HSET k f 9 g 9");
        Ops gone = Ops.of("VHR", "k k k", "f", "1", "a", "1", "f", "7");
        assertThat(run(gone)).isEqualTo(List.of(0L));
        assertThat(ask("HMGET k a f g")).isEqualTo(List.of("1", "7", "9"));
    }

    @Test
    void each_write_takes_its_own_keys_and_arguments_and_no_more() {
        for (Write write : WRITES) {
            server.flushAll();
            plant(write.planted);
            Ops around = Ops.of("S", "before", "1").and(write.ops).and(Ops.of("S", "after", "2"));
            assertThat(run(around, Ops.of("S", "next", "3")))
                    .as("%s", write)
                    .isEqualTo(List.of(write.answer, 0L));
            assertThat(ask(write.question)).as("%s", write).isEqualTo(write.reply);
            assertThat(ask("MGET before after next"))
                    .as("%s", write)
                    .isEqualTo(List.of("1", "2", "3"));
        }
    }

    @Test
    void each_write_refuses_a_key_of_another_type_before_anything_is_written() {
        Map<String, String> types =
                Map.of(
                        "string", "SET k text",
                        "list", "RPUSH k a",
                        "set", "SADD k a",
                        "zset", "ZADD k 1 a",
                        "hash", "HSET k a b",
                        "stream", "XADD k 1-1 a b");
        for (Write write : WRITES) {
            types.forEach(
                    (type, plant) -> {
                        if (!type.equals(write.type) && !write.type.equals("any")) {
                            server.flushAll();
                            plant(plant, "RPUSH log old");
                            refuses(write.ops);
                        }
                    });
        }
    }

    /** Written first, it would be left behind if the operation failed later than it should. */
    private void refuses(Ops ops) {
        Dump before = Dump.of(server);
        Ops commit = Ops.of("SP", "value log", "1", "new", "9").and(ops);
        assertThat(run(Ops.of("S", "other", "1"), commit, Ops.of("D", "other")))
                .as("%s", ops)
                .isEqualTo(List.of(0L, "W3", 0L));
        assertThat(Dump.of(server)).as("%s", ops).isEqualTo(before);
    }

    @Test
    void a_number_that_redis_cannot_add_to_is_refused_before_anything_is_written() {
        for (String text :
                List.of(
                        "text",
                        "1.5",
                        "007",
                        "-0",
                        "+5",
                        "1e3",
                        "0x10",
                        "5x",
                        "x5",
                        "-",
                        "99999999999999999999",
                        "9223372036854775807",
                        "-9223372036854775808")) {
            server.flushAll();
            plant("SET k " + text, "HSET h f " + text, "SET seq " + text);
            plant("HSET state seq " + text, "HSET size bytes " + text);
            refuses(Ops.of("I", "k", "1"));
            refuses(Ops.of("J", "h", "f", "1"));
            refuses(Ops.of("Q", "list seq", "a", "b", "9"));
            refuses(Ops.of("F", "stream state", "body"));
            refuses(Ops.of("F", "stream size", "body"));
        }
        server.flushAll();
        server.command("SET", "k", "");
        refuses(Ops.of("I", "k", "1"));
        server.command("SET", "k", " 5");
        refuses(Ops.of("I", "k", "1"));
    }

    @Test
    void a_feed_whose_state_was_lost_or_fell_behind_goes_on_after_its_last_fact() {
        for (String seq : List.of("DEL state", "HSET state seq 3", "HSET state seq 6")) {
            server.flushAll();
            plant("XADD k 7-0 b old", seq);
            Ops fact = Ops.of("F", "k state", "new");
            assertThat(run(fact, fact)).as(seq).isEqualTo(List.of(8L, 9L));
            assertThat(ask("XLEN k")).isEqualTo(3L);
            assertThat(ask("HGET state seq")).isEqualTo("9");
            assertThat(ask("HGET state bytes")).isEqualTo("6");
        }
        server.flushAll();
        plant("XADD k 7-5 b old", "XDEL k 7-5", "HSET state seq 6");
        assertThat(run(Ops.of("F", "k state", "new"))).isEqualTo(List.of(8L));
        plant("DEL state k");
        assertThat(run(Ops.of("F", "k state", "new"))).isEqualTo(List.of(1L));
    }

    @Test
    void a_feed_that_somebody_filled_to_its_end_is_refused_before_anything_is_written() {
        for (String last :
                List.of("18446744073709551615-3", "9223372036854775807-0", "5000000000000000-0")) {
            for (String seq : List.of("DEL state", "HSET state seq 3", "HSET state seq nan")) {
                server.flushAll();
                plant("XADD k " + last + " b old", seq);
                refuses(Ops.of("F", "k state", "new"));
            }
        }
    }

    @Test
    void a_feed_that_is_refused_for_something_else_keeps_its_state() {
        plant("XADD k 7-0 b old", "SET text text");
        Dump before = Dump.of(server);
        Ops fact = Ops.of("F", "k state", "new");
        assertThat(run(fact.and(Ops.of("A", "text", "m")))).isEqualTo(List.of("W2"));
        assertThat(Dump.of(server)).isEqualTo(before);
        assertThat(run(fact.and(Ops.of("A", "text", "m")), fact)).isEqualTo(List.of("W2", 8L));
    }

    @Test
    void a_feed_takes_no_more_than_its_cap_and_counts_each_feed_of_a_commit_by_itself() {
        plant("HSET state cap 10 bytes 4");
        plant("HSET other cap 10 bytes 4");
        Ops both = Ops.of("F", "k state", "sixsix").and(Ops.of("F", "l other", "sixsix"));
        assertThat(run(Ops.of("F", "k state", "seven77"))).isEqualTo(List.of("F1"));
        assertThat(run(both, Ops.of("F", "l other", "1"))).isEqualTo(List.of(1L, "F1"));
        assertThat(ask("HGET state bytes")).isEqualTo("10");
    }

    // ---------------------------------------------------------------- tokens

    @Test
    void a_token_makes_a_commit_happen_once_and_repeats_its_answer() {
        Ops once = Ops.of("tQ", "token list seq", "60000", "a", "b", "9");
        assertThat(run(once, once)).isEqualTo(List.of(1L, 1L));
        assertThat(run(once, Ops.of("I", "n", "1"), once)).isEqualTo(List.of(1L, 0L, 1L));
        assertThat(ask("LLEN list")).isEqualTo(1L);
        assertThat((Long) ask("PTTL token")).isPositive();
    }

    @Test
    void a_token_is_not_used_up_by_a_commit_that_was_not_done() {
        Ops once = Ops.of("teI", "token k n", "60000", "v", "1");
        assertThat(run(once)).isEqualTo(List.of("A2"));
        assertThat(ask("EXISTS token n")).isEqualTo(0L);
        plant("SET k v");
        assertThat(run(once, once)).isEqualTo(List.of(0L, 0L));
        assertThat(ask("GET n")).isEqualTo("1");
    }

    // ---------------------------------------------------------------- many in one call

    @Test
    void later_commits_of_a_call_see_what_earlier_ones_did() {
        assertThat(
                        run(
                                Ops.of("aS", "k k", "1"),
                                Ops.of("aS", "k k", "2"),
                                Ops.of("eD", "k k", "1"),
                                Ops.of("A", "k", "m"),
                                Ops.of("S", "k", "3"),
                                Ops.of("B", "k", "m"),
                                Ops.of("Z", "k", "1", "z"),
                                Ops.of("A", "k", "n"),
                                Ops.of("Y", "k", "z"),
                                Ops.of("I", "k", "5"),
                                Ops.of("Z", "k", "1", "z")))
                .isEqualTo(List.of(0L, "D1", 0L, 0L, "W1", 0L, 0L, "W1", 0L, 0L, "W1"));
        assertThat(ask("GET k")).isEqualTo("5");
    }

    @Test
    void one_that_fails_at_any_place_leaves_its_neighbours_alone() {
        int commits = 40;
        for (int bad = 0; bad < commits; bad += 3) {
            server.flushAll();
            plant("SET wrong text");
            Ops[] all = new Ops[commits];
            for (int i = 0; i < commits; i++) {
                all[i] =
                        Ops.of(
                                "aSZHQ",
                                "v" + i + " v" + i + " zset h" + i + " log seq",
                                "" + i,
                                "" + i,
                                "m" + i,
                                "2",
                                "a",
                                "1",
                                "b",
                                "2",
                                "<",
                                ">",
                                "99");
            }
            all[bad] = all[bad].and(Ops.of("L", "wrong", "x", "9"));
            List<?> answers = run(all);
            for (int i = 0; i < commits; i++) {
                assertThat(answers.get(i))
                        .isEqualTo(i == bad ? "W6" : (Object) (long) (i < bad ? i + 1 : i));
            }
            assertThat(ask("ZCARD zset")).isEqualTo(commits - 1L);
            assertThat(ask("LLEN log")).isEqualTo(commits - 1L);
            assertThat(ask("EXISTS v" + bad + " h" + bad)).isEqualTo(0L);
            assertThat(ask("DBSIZE")).isEqualTo(2L * (commits - 1) + 4);
        }
    }

    @Test
    void as_many_fields_checks_and_writes_as_a_commit_takes() {
        List<String> args = new ArrayList<>();
        args.add("3500");
        for (int i = 0; i < 3500; i++) {
            args.add("f" + i);
            args.add("v" + i);
        }
        Ops fields = new Ops("H", List.of("h"), args);
        assertThat(run(Ops.of("S", "a", "1"), fields, Ops.of("S", "b", "1")))
                .isEqualTo(List.of(0L, 0L, 0L));
        assertThat(ask("HLEN h")).isEqualTo(3500L);
        List<String> gone = new ArrayList<>(List.of("3499"));
        for (int i = 0; i < 3499; i++) {
            gone.add("f" + i);
        }
        assertThat(run(new Ops("W", List.of("h"), gone), Ops.of("S", "c", "1")))
                .isEqualTo(List.of(0L, 0L));
        assertThat(ask("HGETALL h")).isEqualTo(List.of("f3499", "v3499"));
        assertThat(ask("DEL c")).isEqualTo(1L);

        int checks = Commit.MAX_CHECKS;
        int writes = Commit.MAX_WRITES;
        List<String> keys = new ArrayList<>();
        List<String> values = new ArrayList<>();
        for (int i = 0; i < checks + writes; i++) {
            keys.add("k" + i % writes);
            if (i >= checks) {
                values.add("v" + i);
            }
        }
        Ops most = new Ops("a".repeat(checks) + "S".repeat(writes), keys, values);
        assertThat(run(Ops.of("S", "a", "2"), most, Ops.of("S", "b", "2")))
                .isEqualTo(List.of(0L, 0L, 0L));
        assertThat(ask("DBSIZE")).isEqualTo(writes + 3L);
    }
}
