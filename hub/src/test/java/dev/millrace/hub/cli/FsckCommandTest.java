package dev.millrace.hub.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.Damage;
import dev.millrace.hub.cli.Millrace.Ended;
import dev.millrace.keyspace.testing.RawConnection;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Map;

/** {@code fsck} as a person runs it. */
class FsckCommandTest {
    @TempDir private Path directory;

    @BeforeEach
    void empty() {
        SharedServers.flushAll();
    }

    /** Within this JVM, where the log is not on standard error. */
    private Ended fsck(String url, String... more) {
        return Millrace.inside(directory, arguments(url, more));
    }

    /** Where nothing may be said, in the log neither. */
    private Ended fsckWithLog(String url) {
        return Millrace.run(directory, arguments(url));
    }

    private static String[] arguments(String url, String... more) {
        String[] arguments = new String[more.length + 3];
        arguments[0] = "fsck";
        arguments[1] = "--set";
        arguments[2] = "redis.url=" + url;
        System.arraycopy(more, 0, arguments, 3, more.length);
        return arguments;
    }

    /** How far it is, is told where it takes longer than a moment; so it depends on the machine. */
    private static String withoutProgress(String said) {
        return said.replaceAll("(?m)^millrace: \\d+ %: .*\n", "");
    }

    @Test
    void a_clean_redis_ends_with_0() {
        TestServer server = SharedServers.standalone();
        server.command("SET", "somebody:elses", "1");
        Ended ended = fsckWithLog(server.url());
        assertThat(ended.exit()).isZero();
        assertThat(ended.out())
                .isEqualTo(
                        """
                        Compared 0 values and 0 index entries.
                        1 key belongs to no layout: somebody:elses
                        Nothing is wrong.
                        """);
        assertThat(withoutProgress(ended.err()))
                .isEqualTo("millrace: checking redis://127.0.0.1:%d\n".formatted(server.port()));
    }

    @Test
    void drift_ends_with_1_until_it_is_repaired() {
        TestServer server = SharedServers.standalone();
        try (RawConnection redis = server.connect()) {
            Damage.plant(redis);
        }
        String found =
                """
                orphan entry: reading:created has an entry for 57b9fe08189b95b8afcdafd4, which does not exist%1$s
                missing entry: event:created has no entry for 57ba04a1189b95b8afcdafd7%1$s
                missing entry: event:device:pump has no entry for 57ba04a1189b95b8afcdafd7%1$s
                Compared 1 value and 2 index entries.
                Found 2 missing entries, 1 orphan entry. %2$s
                """;

        Ended looked = fsck(server.url());
        assertThat(looked.out())
                .isEqualTo(
                        found.formatted(
                                "", "Nothing was changed; --repair mends what can be mended."));
        assertThat(looked.exit()).isEqualTo(1);

        Ended repaired = fsck(server.url(), "--repair");
        assertThat(repaired.out()).isEqualTo(found.formatted(" (repaired)", "3 repaired, 0 left."));
        assertThat(repaired.exit()).isZero();

        assertThat(fsck(server.url()).out()).endsWith("Nothing is wrong.\n");
        assertThat(server.command("ZSCORE", "event:device:pump", Damage.EVENT)).isEqualTo("5");
    }

    @Test
    void what_only_a_person_can_decide_is_left_and_ends_with_1() {
        TestServer server = SharedServers.standalone();
        server.command("SET", "alarm:events", "not a list");
        server.command("SET", "rule:a\nb", "{}");
        server.command("SET", "rule:r1", "{\"id\":\"r2\"}");
        Ended ended = fsck(server.url(), "--repair");
        assertThat(ended.exit()).isEqualTo(1);
        assertThat(ended.out())
                .contains(
                        "wrong type: alarm:events is a string, not a list\n",
                        "unreadable value: The value of rule:r1 cannot be read: it says that it is"
                                + " rule:r2\n",
                        "1 key belongs to no layout: rule:a\\u000ab\n",
                        "Found 1 wrong type, 1 unreadable value. 0 repaired, 2 left.\n");
    }

    @Test
    void the_url_may_name_a_database() {
        TestServer server = SharedServers.standalone();
        try (RawConnection redis = server.connect()) {
            redis.command("SELECT", "3");
            Damage.plant(redis);
        }
        assertThat(fsck(server.url()).exit()).isZero();
        Ended ended = fsck(server.url() + "/3");
        assertThat(ended.exit()).isEqualTo(1);
        assertThat(withoutProgress(ended.err())).endsWith(server.port() + "/3\n");
        Ended none = fsck(server.url() + "/99");
        assertThat(none.exit()).isEqualTo(2);
        assertThat(none.err()).contains("DB index is out of range");
    }

    @Test
    void a_cluster_is_walked_node_by_node() {
        String url = SharedServers.cluster().url();
        String key = "{iv9}reading:created";
        SharedServers.cluster().commandFor(key, "ZADD", key, "5", Damage.GONE);
        Ended ended = fsck(url);
        assertThat(ended.out()).contains("orphan entry: {iv9}reading:created has an entry");
        assertThat(ended.exit()).isEqualTo(1);
        assertThat(fsck(url, "--repair").exit()).isZero();
        assertThat(SharedServers.cluster().commandFor(key, "EXISTS", key)).isEqualTo(0L);
    }

    @Test
    void a_node_of_a_cluster_is_no_single_server() {
        Ended ended = fsck("redis://127.0.0.1:" + SharedServers.cluster().node(0).port());
        assertThat(ended.exit()).isEqualTo(2);
        assertThat(ended.err()).contains("write redis-cluster:// instead of redis://");
        assertThat(ended.out()).isEmpty();
    }

    @Test
    void a_wrong_password_ends_with_2_and_is_not_repeated() {
        try (TestServer server = TestServer.start("requirepass sesame")) {
            Ended ended = fsckWithLog("redis://:abracadabra@127.0.0.1:" + server.port());
            assertThat(ended.exit()).isEqualTo(2);
            assertThat(ended.out()).isEmpty();
            assertThat(ended.err())
                    .startsWith("millrace: Redis refuses this user or password")
                    .hasLineCount(1)
                    .doesNotContain("abracadabra");
            Ended right = fsckWithLog("redis://:sesame@127.0.0.1:" + server.port());
            assertThat(right.exit()).isZero();
            assertThat(right.err()).doesNotContain("sesame");
        }
    }

    @Test
    void an_unreachable_redis_ends_with_2() {
        TestServer server = TestServer.start();
        server.close();
        Ended ended = fsckWithLog(server.url());
        assertThat(ended.exit()).isEqualTo(2);
        assertThat(ended.err())
                .isEqualTo(
                        "millrace: Redis at 127.0.0.1:%d cannot be reached (Connection refused).\n"
                                .formatted(server.port()));
    }

    @Test
    void wrong_settings_end_with_2_all_of_them_named() {
        Ended ended =
                Millrace.run(
                        directory,
                        Map.of("MILLRACE_REDIS_ULR", "redis://:sesame@host"),
                        "fsck",
                        "--set",
                        "redis.urll=redis://:sesame@host",
                        "--set",
                        "redis.embedded.port=many");
        assertThat(ended)
                .isEqualTo(
                        new Ended(
                                2,
                                "",
                                """
                                millrace: The environment variable MILLRACE_REDIS_ULR is not a setting; did you mean MILLRACE_REDIS_URL?
                                millrace: --set: There is no setting 'redis.urll'; did you mean redis.url?
                                millrace: --set redis.embedded.port: 'many' is not a valid port; use 1 to 65535, or 0 for a free one.
                                """));
    }

    @Test
    void wrong_usage_ends_with_2_and_repeats_no_password() {
        Ended ended = Millrace.run(directory, "fsck", "redis.url=redis://:sesame@host");
        assertThat(ended.exit()).isEqualTo(2);
        assertThat(ended.err())
                .contains("Unmatched argument", "try: ./millrace fsck --help")
                .doesNotContain("sesame");
    }

    @Test
    void a_redis_that_evicts_is_checked_with_a_warning() {
        try (TestServer server =
                TestServer.start("maxmemory 100mb", "maxmemory-policy allkeys-lru")) {
            Ended ended = fsck(server.url());
            assertThat(ended.exit()).isZero();
            assertThat(ended.err()).contains("warning", "allkeys-lru", "noeviction");
        }
    }

    @Test
    void without_data_there_is_nothing_to_check_and_nothing_is_made() {
        Ended ended = Millrace.run(directory, "fsck");
        assertThat(ended)
                .isEqualTo(
                        new Ended(
                                0,
                                "There is nothing to check: %s holds no data of an embedded Redis.\n"
                                        .formatted(directory.resolve("data")),
                                ""));
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void interrupted_it_says_so_and_the_next_one_begins_anew() throws InterruptedException {
        TestServer server = SharedServers.standalone();
        for (int i = 0; i < 3000; i++) {
            server.command("ZADD", "reading:created", "5", "%024x".formatted(i));
        }
        server.command("CONFIG", "RESETSTAT");
        String setting = "redis.url=" + server.url();
        try (Millrace running =
                Millrace.start(directory, "fsck", "--set", setting, "--pace", "1")) {
            // It walks by SCAN, and nobody else does here.
            await().until(
                            () ->
                                    String.valueOf(server.command("INFO", "commandstats"))
                                            .contains("cmdstat_zscan"));
            Ended cut = running.terminate().end();
            assertThat(cut.exit()).isEqualTo(143);
            assertThat(cut.out()).isEmpty();
            assertThat(cut.err()).contains("stopped; nothing more was looked at");
        }
        Ended ended = fsck(server.url(), "--pace", "full");
        assertThat(ended.out()).contains("Compared 0 values and 3000 index entries.");
        assertThat(ended.out()).contains("Found 3000 orphan entries.");
        assertThat(ended.exit()).isEqualTo(1);
    }

    @Test
    void a_server_that_takes_no_writes_is_checked_all_the_same() {
        try (TestServer server = TestServer.start("maxmemory 1mb", "maxmemory-policy noeviction")) {
            Ended ended = fsck(server.url());
            assertThat(ended.exit()).isZero();
            assertThat(ended.out()).endsWith("Nothing is wrong.\n");
        }
    }

    @Test
    void a_pace_that_is_none_ends_with_2() {
        for (String pace : new String[] {"0", "101", "fast", ""}) {
            Ended ended = fsck("redis://127.0.0.1:1", "--pace", pace);
            assertThat(ended.exit()).isEqualTo(2);
            assertThat(ended.err()).contains("is not a valid pace; use 1 to 100 or full");
        }
    }
}
