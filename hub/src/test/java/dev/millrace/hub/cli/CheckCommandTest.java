package dev.millrace.hub.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.Settings;
import dev.millrace.hub.cli.Millrace.Ended;
import dev.millrace.hub.settings.SettingsText;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** {@code check} as a person runs it. */
class CheckCommandTest {
    @TempDir private Path directory;

    @Test
    void it_says_what_counts_and_where_it_comes_from_and_hides_passwords() throws IOException {
        Files.writeString(
                directory.resolve("millrace.yaml"), "http:\n  port: 8081\n  max-body: 2MiB\n");
        Ended ended =
                Millrace.run(
                        directory,
                        Map.of("MILLRACE_REDIS_URL", "redis://ann:sesame@host:7000"),
                        "check",
                        "--set",
                        "http.port=8082");
        assertThat(ended.exit()).isZero();
        assertThat(ended.err()).isEmpty();
        assertThat(ended.out())
                .containsPattern("(?m)^http\\.host +127\\.0\\.0\\.1 +default$")
                .containsPattern("(?m)^http\\.port +8082 +--set$")
                .containsPattern("(?m)^http\\.max-body +2MiB +millrace\\.yaml:3$")
                .containsPattern(
                        "(?m)^redis\\.url +redis://\\*\\*\\*@host:7000 +MILLRACE_REDIS_URL$")
                .doesNotContain("sesame");
        assertThat(ended.out().lines()).hasSize(Settings.KEYS.all().size());
        assertThat(directory.resolve("data")).doesNotExist();
    }

    @Test
    void it_tells_all_mistakes_at_once_and_ends_with_2() throws IOException {
        Path file = directory.resolve("site.yaml");
        Files.writeString(file, "http:\n  prot: 8081\nredis.url: redis://:sesame\n");
        Ended ended =
                Millrace.run(
                        directory,
                        Map.of("MILLRACE_HTTP_MAX_BODY", "much"),
                        "check",
                        "--config",
                        "site.yaml",
                        "--set",
                        "durability=disk");
        assertThat(ended.exit()).isEqualTo(2);
        assertThat(ended.out().lines()).hasSize(Settings.KEYS.all().size());
        assertThat(ended.out()).doesNotContain("sesame");
        assertThat(ended.err().lines())
                .containsExactlyInAnyOrder(
                        "millrace: site.yaml:2: There is no setting 'http.prot'; did you mean"
                                + " http.port?",
                        "millrace: site.yaml:3: redis.url: '***' is not a valid address; write"
                                + " host:port, for example 127.0.0.1:6379.",
                        "millrace: --set durability: 'disk' is not a valid durability; write"
                                + " memory, fsync or replicas:1 to replicas:9.",
                        "millrace: MILLRACE_HTTP_MAX_BODY: 'much' is not a valid size; write 16KiB,"
                                + " 512MiB or 4GiB.");
    }

    @Test
    void it_prints_an_example() {
        assertThat(Millrace.run(directory, "check", "--example"))
                .isEqualTo(new Ended(0, SettingsText.example(Settings.KEYS), ""));
    }

    @Test
    void the_same_file_counts_for_every_command() throws IOException {
        Files.writeString(directory.resolve("millrace.yaml"), "data.dir: elsewhere\n");
        assertThat(Millrace.run(directory, "fsck").out())
                .isEqualTo(
                        "There is nothing to check: %s holds no data of an embedded Redis.\n"
                                .formatted(directory.resolve("elsewhere")));
        Files.writeString(directory.resolve("millrace.yaml"), "data.dri: elsewhere\n");
        Ended ended = Millrace.run(directory, "fsck");
        assertThat(ended.exit()).isEqualTo(2);
        assertThat(ended.err())
                .isEqualTo(
                        "millrace: millrace.yaml:1: There is no setting 'data.dri'; did you mean"
                                + " data.dir?\n");
    }

    @Test
    void a_file_of_the_pubsub_server_is_taken_and_told_what_of_it_is_not_used() throws IOException {
        Files.writeString(
                directory.resolve("dsps.yaml"),
                """
                http: {port: 3000, longPollingMaxTimeout: 1m}
                admin: {auth: {bearer: [sesame]}}
                storages: {main: {redis: {singleNode: 'there:6379', password: sesame}}}
                """);
        Ended ended =
                Millrace.run(
                        directory,
                        Map.of(),
                        "check",
                        "--set",
                        "pubsub.config=dsps.yaml",
                        "--set",
                        "pubsub.http.pathPrefix=/m");
        assertThat(ended.exit()).as(ended.err()).isZero();
        assertThat(ended.out())
                .contains("{port: 3000, longPollingMaxTimeout: 1m, pathPrefix: /m}")
                .containsPattern(
                        "(?m)^pubsub\\.admin +\\{auth: \\{bearer: \\*\\*\\*}} +dsps\\.yaml:2$")
                .contains("Pub/sub: http.port and http.listen of pub/sub are not used")
                .contains(
                        "Pub/sub: storages.main is at there:6379, but redis.url says the embedded"
                                + " Redis, and that counts.")
                .doesNotContain("sesame");
    }

    @Test
    void a_mistake_in_a_file_of_the_pubsub_server_ends_with_2() throws IOException {
        Files.writeString(
                directory.resolve("dsps.yaml"),
                "chanels: []\nstorages: {a: {onmemory: {}}, b: {onmemory: {}}}\n");
        Ended ended =
                Millrace.run(directory, Map.of(), "check", "--set", "pubsub.config=dsps.yaml");
        assertThat(ended.exit()).isEqualTo(2);
        assertThat(ended.err())
                .contains(
                        "dsps.yaml:1: There is no setting 'pubsub.chanels'; did you mean channels?")
                .contains("dsps.yaml:2: pubsub.storages: There are 2 storages");
    }
}
