package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.CommitScript.Ops;
import dev.millrace.keyspace.testing.Dump;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The script of a commit collects what several commits write to one key. Nobody may be able to
 * tell: commits in one call answer and leave behind just what the same commits do one by one.
 */
final class CombinedWritesFaultTest {
    private static final int ROUNDS = 1500;
    private static final int MOST_COMMITS = 12;

    private final TestServer server = SharedServers.standalone();
    private final CommitScript script = new CommitScript(server);

    @BeforeEach
    void empty() {
        server.flushAll();
    }

    // ---------------------------------------------------------------- any commits

    /**
     * Few keys of every type, so that commits meet. A commit writes a key as one type only; but one
     * key is of another type for each commit, and one is always wrong.
     */
    private static final class Chance {
        private final Random random;
        private String changing = "";

        Chance(int seed) {
            this.random = new Random(seed * 1_000_000_007L);
        }

        String key(String usual) {
            if (random.nextInt(20) == 0) {
                return "wrong";
            }
            return usual.equals(changing) && random.nextBoolean() ? "changing" : usual + number(3);
        }

        String any(String... all) {
            return all[random.nextInt(all.length)] + number(3);
        }

        String number(int below) {
            return Integer.toString(random.nextInt(below));
        }

        boolean often() {
            return random.nextInt(4) > 0;
        }

        Ops commit() {
            changing = List.of("s", "z", "m", "h", "l", "n").get(random.nextInt(6));
            Ops all = new Ops("", List.of(), List.of());
            for (int i = random.nextInt(3); i > 0; i--) {
                all = all.and(check());
            }
            for (int i = random.nextInt(6); i > 0; i--) {
                all = all.and(write());
            }
            return all.letters().isEmpty() ? Ops.of("A", key("m"), "x") : all;
        }

        /** Checks that hold often enough for something to happen. */
        private Ops check() {
            return switch (random.nextInt(13)) {
                case 0 -> Ops.of("a", key("s"));
                case 1 -> Ops.of("e", key("s"), number(3));
                case 2 -> Ops.of("x", any("s", "z"));
                case 3 -> Ops.of("f", key("h"), number(3), number(2));
                case 4 -> Ops.of("n", key("h"), number(5));
                case 5 -> Ops.of("m", key("z"), number(3));
                case 6 -> Ops.of("p", key("m"), number(3));
                case 7 -> Ops.of("l", key("n"), number(2));
                case 8 -> Ops.of("g", key("s"), number(2));
                case 9 -> Ops.of("u", key("h"), number(3), number(2));
                case 10 -> Ops.of("q", key("n"), number(3));
                case 11 -> Ops.of("k", key("s") + " " + key("z"), number(3));
                default -> Ops.of("s", key("z"), number(3), number(3));
            };
        }

        private Ops write() {
            return switch (random.nextInt(23)) {
                case 0, 1 -> Ops.of("N", key("s"), number(3));
                case 2, 3 -> Ops.of("S", key("s"), number(3));
                case 4, 5, 6 -> entries();
                case 7 -> Ops.of("Y", key("z"), number(3));
                case 8 -> Ops.of("A", key("m"), number(3));
                case 9 -> Ops.of("B", key("m"), number(3));
                case 10 -> Ops.of("U", key("h"), number(3), number(2));
                case 11 -> Ops.of("V", key("h"), number(3));
                case 12 -> Ops.of("T", key("h"), number(3), number(2));
                case 13 -> Ops.of("H", key("h"), "2", number(3), number(2), number(3), number(2));
                case 14 -> often() ? Ops.of("I", key("n"), "1") : Ops.of("J", key("h"), "9", "1");
                case 15 -> Ops.of("D", often() ? any("s", "z", "m", "h", "l", "f") : "changing");
                case 16 ->
                        often()
                                ? Ops.of("L", key("l"), number(3), "4")
                                : Ops.of("K", key("l") + " " + key("s"), "<", ">", "4", "99");
                case 17 -> Ops.of("W", key("h"), "2", number(3), number(3));
                case 18 -> Ops.of("R", key("h"), number(3), number(4));
                case 19 -> raised(key("h"));
                case 20 -> Ops.of(often() ? "G" : "Q", key("l") + " " + key("n"), "<", ">", "4");
                case 21 -> sized(any("z", "m", "h", "l", "s"));
                default -> Ops.of("F", "f0 state", number(3));
            };
        }

        /** Fields, and one that rises: of the same hash, as nearly always, or of another one. */
        private Ops raised(String key) {
            return Ops.of("H", key, "2", number(2), number(2), "x", number(2))
                    .and(Ops.of("R", often() ? key : key("h"), number(3), number(4)));
        }

        /** A field that says how large a key is, now and then by the command for another type. */
        private Ops sized(String counted) {
            String command =
                    switch (counted.charAt(0)) {
                        case 'z' -> "ZCARD";
                        case 'm' -> "SCARD";
                        case 'h' -> "HLEN";
                        default -> "LLEN";
                    };
            return Ops.of("C", key("h") + " " + counted, number(3), command);
        }

        Ops look() {
            return Ops.of("k", any("s") + " " + any("z"), number(3));
        }

        /** A write to what was looked at. */
        Ops put() {
            return switch (random.nextInt(11)) {
                case 0, 1 -> Ops.of("K", any("l") + " " + any("s"), "<", ">", "4", "99");
                case 2, 3 -> Ops.of("S", any("s"), number(3));
                case 4, 5, 6 -> Ops.of("Z", any("z"), number(2), number(3));
                case 7 -> Ops.of("Y", any("z"), number(3));
                case 8 -> Ops.of("D", any("s", "z"));
                case 9 -> Ops.of("Q", any("l") + " " + any("s"), "<", ">", "4");
                default -> Ops.of("X", any("s"), number(3), "1000000");
            };
        }

        /** Entries of one id in several sets, and of another one in the same. */
        private Ops entries() {
            return often()
                    ? Ops.of("Z", key("z"), number(3), number(3))
                    : new Ops(
                            "ZMZM",
                            List.of(key("z"), key("z"), key("z"), key("z")),
                            List.of(
                                    number(3), number(3), number(3), number(3), number(3),
                                    number(3)));
        }
    }

    @Test
    void commits_in_one_call_do_just_what_they_do_one_by_one() {
        int done = 0;
        int refused = 0;
        for (int seed = 0; seed < ROUNDS; seed++) {
            Chance chance = new Chance(seed);
            List<Ops> commits = new ArrayList<>();
            for (int i = 0; i < 2 + chance.random.nextInt(MOST_COMMITS); i++) {
                commits.add(chance.commit());
            }
            begin();
            List<Object> apart = new ArrayList<>();
            commits.forEach(each -> apart.addAll(script.run(each)));
            Left left = left();
            begin();
            List<?> together = script.run(commits.toArray(Ops[]::new));
            assertThat(together).as("%s: %s", seed, commits).isEqualTo(apart);
            assertThat(left()).as("%s: %s", seed, commits).isEqualTo(left);
            done += (int) together.stream().filter(Long.class::isInstance).count();
            refused += (int) together.stream().filter(String.class::isInstance).count();
        }
        assertThat(done).isGreaterThan(ROUNDS);
        assertThat(refused).isGreaterThan(ROUNDS);
    }

    private void begin() {
        server.flushAll();
        server.command("XADD", "wrong", "1-1", "b", "a type that no commit here writes");
    }

    /** The stream carries the time of the server, so it is compared by its length. */
    private record Left(Object facts, Dump others) {}

    private Left left() {
        Object facts = server.command("XLEN", "f0");
        server.command("DEL", "f0");
        return new Left(facts, Dump.of(server));
    }

    // ---------------------------------------------------------------- what a check has found out

    /**
     * Commits that look at a value and its index before they write to them, some of them twice, and
     * in every order. What the check found out saves commands; left behind is what the same writes
     * leave without it.
     */
    @Test
    void what_a_check_has_found_out_changes_nothing_of_what_is_written() {
        int done = 0;
        for (int seed = 0; seed < ROUNDS; seed++) {
            Chance chance = new Chance(seed);
            List<Ops> looking = new ArrayList<>();
            List<Ops> blind = new ArrayList<>();
            begin(chance);
            for (int i = 0; i < 1 + chance.random.nextInt(6); i++) {
                Ops check = chance.look();
                for (int more = chance.random.nextInt(3); more > 0; more--) {
                    check = check.and(chance.look());
                }
                Ops writes = chance.put();
                for (int more = chance.random.nextInt(5); more > 0; more--) {
                    writes = writes.and(chance.put());
                }
                Ops commit = check.and(writes);
                looking.add(commit);
                if (script.run(commit).getFirst() instanceof Long) {
                    blind.add(writes);
                    done++;
                }
            }
            begin(new Chance(seed));
            script.run(looking.toArray(Ops[]::new));
            Left left = left();
            begin(new Chance(seed));
            blind.forEach(script::run);
            assertThat(left()).as("%s: %s", seed, looking).isEqualTo(left);
        }
        assertThat(done).isGreaterThan(ROUNDS);
    }

    /** Some values, which have entries with some score, or none. */
    private void begin(Chance chance) {
        begin();
        for (int i = 0; i < 3; i++) {
            if (chance.often()) {
                server.command("SET", "s" + i, chance.number(3));
            }
            for (int member = 0; member < 3; member++) {
                if (chance.often()) {
                    server.command("ZADD", "z" + i, chance.number(2), "" + member);
                }
            }
        }
        chance.changing = "none";
    }

    // ---------------------------------------------------------------- what is saved

    @Test
    void fields_and_the_one_that_rises_with_them_are_one_command() {
        Ops values =
                Ops.of(
                        "HR",
                        "points points",
                        "2",
                        "101",
                        "3.2",
                        "102",
                        "4",
                        "_updated_at",
                        "1754530782");
        server.command("CONFIG", "RESETSTAT");
        assertThat(script.run(values, values)).isEqualTo(List.of(0L, 0L));
        assertThat(calls("hset")).isEqualTo(2);
        assertThat(calls("hget")).isEqualTo(2);
        assertThat(calls("hlen")).as("probes").isZero();
        assertThat(server.command("HGET", "points", "_updated_at")).isEqualTo("1754530782");
    }

    private long calls(String command) {
        String line = "cmdstat_" + command + ":calls=";
        return String.valueOf(server.command("INFO", "commandstats"))
                .lines()
                .filter(each -> each.startsWith(line))
                .mapToLong(each -> Long.parseLong(each.substring(line.length(), each.indexOf(','))))
                .sum();
    }

    @Test
    void what_goes_to_one_key_is_written_at_once() {
        Ops[] events = new Ops[20];
        for (int i = 0; i < events.length; i++) {
            String id = "e" + i;
            events[i] =
                    Ops.of("NZM", id + " event event:time", "value", "0", id, "" + i)
                            .and(Ops.of("A", "all", id));
        }
        server.command("CONFIG", "RESETSTAT");
        assertThat(script.run(events)).isEqualTo(Collections.nCopies(20, 0L));
        assertThat(calls("zadd")).isEqualTo(2);
        assertThat(calls("mset")).isEqualTo(1);
        assertThat(calls("sadd")).isEqualTo(1);
        assertThat(calls("set")).isZero();
        assertThat(calls("exists")).isEqualTo(20);
        assertThat(server.command("ZCARD", "event:time")).isEqualTo(20L);
        assertThat(server.command("GET", "e19")).isEqualTo("value");
    }

    @Test
    void what_stands_as_it_would_be_written_is_not_written() {
        Ops[] again = new Ops[20];
        for (int i = 0; i < again.length; i++) {
            String id = "d" + i;
            server.command("SET", id, "before");
            server.command("ZADD", "kind", "0", id);
            again[i] =
                    Ops.of(
                                    "kKS",
                                    id + " kind old:" + id + " " + id + " " + id,
                                    id,
                                    "<",
                                    ">",
                                    "9",
                                    "99",
                                    "now")
                            .and(Ops.of("Z", "kind", "0", id));
        }
        server.command("CONFIG", "RESETSTAT");
        assertThat(script.run(again)).isEqualTo(Collections.nCopies(20, 0L));
        assertThat(calls("get")).isEqualTo(20);
        assertThat(calls("zscore")).isEqualTo(20);
        assertThat(calls("mset")).isEqualTo(1);
        assertThat(calls("zadd") + calls("zcard") + calls("exists") + calls("strlen")).isZero();
        assertThat(calls("ltrim")).isZero();
        assertThat(server.command("LRANGE", "old:d7", "0", "-1")).isEqualTo(List.of("<before>"));
        assertThat(server.command("GET", "d7")).isEqualTo("now");
    }

    @Test
    void a_commit_that_looks_at_what_an_earlier_one_writes_sees_it() {
        assertThat(
                        script.run(
                                Ops.of("NZ", "a kind", "1", "0", "a"),
                                Ops.of("NZ", "b kind", "1", "0", "b"),
                                Ops.of("emS", "a kind a", "1", "a", "2"),
                                Ops.of("emDY", "b kind b kind", "1", "b", "b"),
                                Ops.of("mS", "kind b", "b", "3"),
                                Ops.of("kS", "a kind a", "a", "4"),
                                Ops.of("kS", "a kind a", "other", "5")))
                .isEqualTo(List.of(0L, 0L, 0L, 0L, "A1", 0L, "R1"));
        assertThat(server.command("GET", "a")).isEqualTo("4");
        assertThat(server.command("EXISTS", "b")).isEqualTo(0L);
        assertThat(server.command("ZRANGE", "kind", "0", "-1")).isEqualTo(List.of("a"));
    }

    @Test
    void more_than_one_command_takes_goes_in_several() {
        int commits = 12;
        int each = 500;
        Ops[] adding = new Ops[commits];
        Ops[] removing = new Ops[commits];
        for (int i = 0; i < commits; i++) {
            List<String> keys = new ArrayList<>();
            List<String> values = new ArrayList<>();
            List<String> args = new ArrayList<>();
            for (int j = 0; j < each; j++) {
                String id = i + "-" + j;
                keys.addAll(List.of(id, "set"));
                values.add(id);
                args.addAll(List.of("value", "" + j, id));
            }
            adding[i] = new Ops("SZ".repeat(each), keys, args);
            removing[i] = new Ops("D".repeat(each), values, List.of());
        }
        assertThat(script.run(adding)).isEqualTo(Collections.nCopies(commits, 0L));
        assertThat(server.command("ZCARD", "set")).isEqualTo((long) commits * each);
        assertThat(server.command("DBSIZE")).isEqualTo((long) commits * each + 1);
        assertThat(script.run(removing)).isEqualTo(Collections.nCopies(commits, 0L));
        assertThat(server.command("DBSIZE")).isEqualTo(1L);
    }
}
