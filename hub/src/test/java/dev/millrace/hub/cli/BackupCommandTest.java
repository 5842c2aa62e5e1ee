package dev.millrace.hub.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.Damage;
import dev.millrace.hub.cli.Millrace.Ended;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code backup} and {@code restore} as a person runs them. */
class BackupCommandTest {
    private static final Pattern CHECKSUM = Pattern.compile("checksum ([0-9a-f]{32})");

    @TempDir private Path directory;
    private TestServer server;

    @BeforeEach
    void fill() {
        SharedServers.flushAll();
        server = SharedServers.standalone();
        String event = Damage.EVENT;
        server.command(
                "SET", event, "{\"ID\":\"" + event + "\",\"Device\":\"pump\",\"Created\":5}");
        server.command("ZADD", "event", "0", event);
        server.command("ZADD", "event:created", "5", event);
        server.command("ZADD", "event:device:pump", "5", event);
        String reading = Damage.GONE;
        server.command(
                "SET",
                reading,
                "{\"id\":\""
                        + reading
                        + "\",\"created\":5,\"device\":\"pump\",\"name\":\"power\",\"value\":\"1\"}");
        server.command("ZADD", "reading", "0", reading);
        server.command("ZADD", "reading:created", "5", reading);
        server.command("ZADD", "reading:device:pump", "5", reading);
        server.command("ZADD", "reading:name:power", "5", reading);
        server.command("ZADD", "event:readings:" + event, "0", reading);
        server.command("HSET", "login:", "token", "user");
        server.command("SET", "c.{news}.clock", "17");
        server.command("LPUSH", "alarm:events", "older", "newer");
    }

    private Ended with(String url, String... arguments) {
        String[] all = Arrays.copyOf(arguments, arguments.length + 2);
        all[arguments.length] = "--set";
        all[arguments.length + 1] = "redis.url=" + url;
        return Millrace.inside(directory, all);
    }

    private String file(String name) {
        return directory.resolve(name).toString();
    }

    private static String checksum(Ended ended) {
        Matcher found = CHECKSUM.matcher(ended.out());
        assertThat(found.find()).as(ended.toString()).isTrue();
        return found.group(1);
    }

    @Test
    void a_site_goes_from_a_server_to_a_new_machine_and_to_a_cluster() {
        Ended made =
                Millrace.run(
                        directory, "backup", "site.backup", "--set", "redis.url=" + server.url());
        assertThat(made.exit()).as(made.toString()).isZero();
        assertThat(made.out())
                .matches("13 keys, [0-9.]+ k?B, checksum [0-9a-f]{32}, in [0-9.]+ s\n");

        Ended embedded = Millrace.run(directory, "restore", "site.backup");
        assertThat(embedded.exit()).as(embedded.toString()).isZero();
        assertThat(embedded.out())
                .startsWith("13 keys, checksum ")
                .contains("equal to the backup of");
        assertThat(checksum(embedded)).isEqualTo(checksum(made));
        assertThat(Millrace.inside(directory, "fsck").exit()).isZero();

        String cluster = SharedServers.cluster().url();
        Ended spread = with(cluster, "restore", file("site.backup"));
        assertThat(spread.exit()).as(spread.toString()).isZero();
        assertThat(checksum(spread)).isEqualTo(checksum(made));
        assertThat(with(cluster, "fsck").out()).contains("Nothing is wrong.");

        Ended again = with(cluster, "backup", file("again.backup"));
        assertThat(checksum(again)).isEqualTo(checksum(made));
    }

    @Test
    void a_file_is_not_replaced_by_accident() throws IOException {
        Path file = directory.resolve("site.backup");
        Files.writeString(file, "precious");
        Ended refused = with(server.url(), "backup", file("site.backup"));
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err()).contains("exists already", "--force");
        assertThat(file).hasContent("precious");
        assertThat(with(server.url(), "backup", "--force", file("site.backup")).exit()).isZero();
    }

    @Test
    void what_cannot_be_done_is_said_in_a_sentence() throws IOException {
        assertThat(with(server.url(), "backup", file("site.backup")).exit()).isZero();
        assertSentence(
                with(server.url(), "restore", file("site.backup")), "This Redis is not empty");
        assertSentence(
                with(server.url(), "backup", file("no/such/directory")), "cannot be written");
        assertSentence(
                Millrace.inside(directory, "backup", file("x")), "there is nothing to back up");
        assertSentence(Millrace.run(directory, "restore", "nothing"), "There is no file nothing.");
        Path file = directory.resolve("site.backup");
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length - 9));
        server.flushAll();
        assertSentence(with(server.url(), "restore", file("site.backup")), "is cut short");
        assertThat(server.command("DBSIZE")).isEqualTo(0L);
    }

    @Test
    void a_restore_that_was_cut_short_is_neither_gone_on_with_nor_backed_up() {
        assertThat(with(server.url(), "backup", file("site.backup")).exit()).isZero();
        server.flushAll();
        server.command("SET", "millrace:restore", "2026-11-16T12:00:00Z");
        String sentence = "A restore into this Redis began at 2026-11-16T12:00:00Z and was not";
        assertSentence(with(server.url(), "restore", file("site.backup")), sentence);
        assertSentence(with(server.url(), "backup", file("other.backup")), sentence);
    }

    private static void assertSentence(Ended ended, String words) {
        assertThat(ended.exit()).as(ended.toString()).isEqualTo(2);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err()).contains(words).doesNotContain("Exception");
    }
}
