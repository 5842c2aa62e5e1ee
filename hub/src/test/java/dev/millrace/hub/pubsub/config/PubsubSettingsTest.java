package dev.millrace.hub.pubsub.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.http.CorsRule;
import dev.millrace.hub.http.Header;
import dev.millrace.hub.settings.Key;
import dev.millrace.hub.settings.Network;
import dev.millrace.hub.settings.SettingsSources;
import dev.millrace.hub.settings.Values;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

class PubsubSettingsTest {
    @TempDir private Path directory;

    @Test
    void nothing_said_means_the_defaults() {
        PubsubSettings settings = ReadSettings.set();
        assertThat(settings.storageId()).isEqualTo("redis1");
        assertThat(settings.pathPrefix()).isEmpty();
        assertThat(settings.realIpHeader()).isEmpty();
        assertThat(settings.trustedProxies()).isEqualTo(AllowedValues.PRIVATE);
        assertThat(settings.discloseAuthRejectionDetail()).isFalse();
        assertThat(settings.defaultHeaders())
                .containsExactlyInAnyOrder(
                        new Header("X-Frame-Options", "deny"),
                        new Header("X-Content-Type-Options", "nosniff"),
                        new Header(
                                "Cache-Control", "no-cache, no-store, max-age=0, must-revalidate"),
                        new Header("Pragma", "no-cache"),
                        new Header("Expires", "0"));
        assertThat(settings.cors()).isEmpty();
        assertThat(settings.longPollingMaxTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings.pollingMaxMessages()).isEqualTo(1000);
        assertThat(settings.maxMessageBytes()).isEqualTo(1 << 20);
        assertThat(settings.channels()).containsExactly(ChannelEntry.ANY);
        assertThat(settings.adminNetworks()).isEqualTo(AllowedValues.PRIVATE);
        assertThat(settings.adminBearer()).isEmpty();
        assertThat(settings.logLevels()).isEmpty();
        assertThat(settings.warnings()).isEmpty();
        assertThat(settings).isEqualTo(ReadSettings.set());
    }

    private static final String WHOLE =
            """
            http:
              port: 3000
              listen: ':3000'
              pathPrefix: /messages/
              realIpHeader: X-Forwarded-For
              trustedProxyRanges: [10.1.0.0/16]
              discloseAuthRejectionDetail: true
              defaultHeaders: {X-Frame-Options: "", pragma: cache, X-Own: "1"}
              idleTimeout: 1h30m
              readTimeout: 10s
              writeTimeout: 60
              longPollingMaxTimeout: 1m
              gracefulShutdownTimeout: 5s
              maxMessageBytes: 64KiB
              pollingMaxMessages: 10
              cors: {origins: ['https://example.com'], headers: [authorization], maxAge: 1h, credentials: true}
            channels:
              - regex: 'chat-(?P<room>.+)'
                expire: 1h30m
                maxMessageBytes: 1024
                maxPerSecond: 5
                webhooks:
                  - url: 'https://example.com/{{.channel.room}}'
                    method: post
                    headers: {X-Room: '{{.channel.room}}', X-Fixed: yes}
                    timeout: 2s
                    maxRedirects: 0
                    retry: {count: 0, interval: 1s, intervalMultiplier: 1, intervalJitter: 0, force: true}
                    connection: {max: 2, maxIdleTime: 1m}
              - regex: '.+'
            admin:
              auth: {networks: [192.0.2.0/24], bearer: [sesame, 12345]}
            logging:
              category: {'*': warn, storage: DEBUG}
              attributes: {site: brewery}
            storages:
              main:
                redis:
                  singleNode: 'redis.local:6379'
                  username: ann
                  password: secret
                  db: 2
                  scriptReloadInterval: 5m
                  timeout: {connect: 5s, read: 5s, write: 5s}
                  retry: {count: 3, interval: 500ms, intervalJitter: 200ms}
                  connection: {max: 1024, min: 16, maxIdleTime: 5m}
                  disablePubSub: false
                  disableJwt: false
            telemetry:
              ot:
                tracing: {enable: true, sampling: 0.5, batch: {maxQueueSize: 1, timeout: 5s, batchSize: 1}, attributes: {a: 1}}
                exporters: {stdout: {enable: true, quantiles: [0.5]}, gcp: {enableTrace: false, projectID: p}}
            sentry:
              serverName: a
              environment: b
              tags: {a: b}
              contexts: {a: b}
              sampleRate: 1.0
              ignoreErrors: ['a+']
              disableStacktrace: true
              hideRequestData: true
              flushTimeout: 15s
            """;

    /** As files for the reference are written, whose YAML knows them. */
    @Test
    void what_channels_have_in_common_is_written_once() {
        PubsubSettings settings =
                ReadSettings.read(
                        directory,
                        """
                        channels:
                          - &common
                            regex: 'a-.+'
                            expire: 10m
                            webhooks:
                              - &hook {url: 'https://example.com/a', timeout: 2s, retry: &retry {count: 2}}
                          - <<: *common
                            regex: 'b-.+'
                          - regex: 'c-.+'
                            webhooks: [{<<: *hook, url: 'https://example.com/c'}]
                        """);
        assertThat(settings.channels()).hasSize(3);
        assertThat(settings.channels().get(1).expire()).isEqualTo(Duration.ofMinutes(10));
        assertThat(settings.channels().get(1).webhooks().getFirst().url())
                .isEqualTo(settings.channels().get(0).webhooks().getFirst().url());
        assertThat(settings.channels().get(2).expire()).isEqualTo(Duration.ofMinutes(30));
        assertThat(settings.channels().get(2).webhooks().getFirst().timeout())
                .isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void every_key_of_a_file_is_known() {
        PubsubSettings settings = ReadSettings.read(directory, WHOLE);
        assertThat(settings.storageId()).isEqualTo("main");
        assertThat(settings.pathPrefix()).isEqualTo("/messages");
        assertThat(settings.realIpHeader()).contains("X-Forwarded-For");
        assertThat(settings.trustedProxies()).containsExactly(Network.of("10.1.0.0/16"));
        assertThat(settings.discloseAuthRejectionDetail()).isTrue();
        assertThat(settings.defaultHeaders())
                .contains(new Header("pragma", "cache"), new Header("X-Own", "1"))
                .noneMatch(header -> header.name().equals("X-Frame-Options"))
                .hasSize(5);
        assertThat(settings.cors())
                .contains(
                        new CorsRule(
                                List.of("https://example.com"),
                                List.of("authorization"),
                                Duration.ofHours(1),
                                true));
        assertThat(settings.longPollingMaxTimeout()).isEqualTo(Duration.ofMinutes(1));
        assertThat(settings.pollingMaxMessages()).isEqualTo(10);
        assertThat(settings.maxMessageBytes()).isEqualTo(64 << 10);
        assertThat(settings.channels()).hasSize(2);
        assertThat(settings.adminNetworks()).containsExactly(Network.of("192.0.2.0/24"));
        assertThat(settings.adminBearer()).containsExactly("sesame", "12345");
        assertThat(settings.logLevels()).isEqualTo(Map.of("*", "warn", "storage", "debug"));
        assertThat(settings.toString()).doesNotContain("sesame");
    }

    @Test
    void what_does_not_apply_here_is_told() {
        assertThat(ReadSettings.read(directory, WHOLE).warnings())
                .containsExactlyInAnyOrder(
                        "http.port and http.listen of pub/sub are not used: one port serves all"
                                + " rooms; http.host and http.port of Millrace say which.",
                        "http.idleTimeout, readTimeout, writeTimeout, gracefulShutdownTimeout of"
                                + " pub/sub are not used: the time limits of Millrace hold for all"
                                + " rooms (http.idle-time-out and those beside it).",
                        "logging.attributes is not used: log lines have no attributes here.",
                        "storages.main: connection, db, retry, scriptReloadInterval, timeout are"
                                + " not used; redis.url and the settings beside it say how Redis is"
                                + " reached.",
                        "telemetry is not used: figures are at /metrics.",
                        "sentry is not used: errors are in the log.");
    }

    @Test
    void a_redis_elsewhere_is_told_and_redis_url_counts() {
        String text = "storages: {r: {redis: {singleNode: 'other:6379'}}}";
        assertThat(ReadSettings.read(directory, text).warnings())
                .containsExactly(
                        "storages.r is at other:6379, but redis.url says redis.local:6379, and that"
                                + " counts.");
        String cluster = "storages: {r: {redis: {cluster: ['redis.local:6379', 'b:1']}}}";
        assertThat(ReadSettings.read(directory, cluster).warnings()).hasSize(1);
        String same = "storages: {r: {redis: {singleNode: 'redis.local:6379'}}}";
        assertThat(ReadSettings.read(directory, same).warnings()).isEmpty();
    }

    @Test
    void a_storage_in_memory_is_kept_in_redis_under_its_name() {
        PubsubSettings settings =
                ReadSettings.read(directory, "storages: {default: {onmemory: {}}}");
        assertThat(settings.storageId()).isEqualTo("default");
        assertThat(settings.warnings())
                .containsExactly(
                        "storages.default is kept in Redis, not in memory only: messages survive a"
                                + " restart.");
        assertThat(ReadSettings.read(directory, "storages: {m: {onmemory: }}").storageId())
                .isEqualTo("m");
    }

    @Test
    void the_storage_id_of_a_flag_counts_more_than_that_of_a_file() {
        String file = "storages: {main: {redis: {singleNode: 'redis.local:6379'}}}";
        assertThat(ReadSettings.read(directory, file, "pubsub.storage-id=x.1").storageId())
                .isEqualTo("x.1");
    }

    @Test
    void flags_and_millrace_yaml_count_more_than_the_file() throws IOException {
        String file = "http: {longPollingMaxTimeout: 5s, pathPrefix: a}\nchannels: [{regex: a}]\n";
        PubsubSettings settings =
                ReadSettings.read(
                        directory,
                        file,
                        "pubsub.http.longPollingMaxTimeout=10s",
                        "pubsub.channels=[{regex: .+, expire: 1h}, {regex: b}]");
        assertThat(settings.longPollingMaxTimeout()).isEqualTo(Duration.ofSeconds(10));
        assertThat(settings.pathPrefix()).isEqualTo("/a");
        assertThat(settings.channels()).hasSize(2);

        Path own = directory.resolve("millrace.yaml");
        Files.writeString(
                own,
                "pubsub:\n  config: %s\n  http:\n    pathPrefix: b\n    defaultHeaders: {A: b}\n"
                        .formatted(directory.resolve("ref.yaml")));
        Values values =
                SettingsSources.read(
                        ReadSettings.KEYS,
                        Optional.of(own),
                        List.of("pubsub.http.defaultHeaders.C=d"),
                        Map.of("MILLRACE_PUBSUB_HTTP", "{pollingMaxMessages: 7}"));
        settings = PubsubSettings.BLOCK.read(values);
        assertThat(values.problems()).isEmpty();
        assertThat(settings.pathPrefix()).isEqualTo("/b");
        assertThat(settings.longPollingMaxTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(settings.pollingMaxMessages()).isEqualTo(7);
        assertThat(settings.defaultHeaders()).contains(new Header("A", "b"), new Header("C", "d"));
    }

    @Test
    void an_empty_value_is_the_default_also_over_the_file() {
        String file = "http: {longPollingMaxTimeout: 5s, pathPrefix: a}";
        assertThat(ReadSettings.read(directory, file, "pubsub.http.pathPrefix=").pathPrefix())
                .isEmpty();
        PubsubSettings none = ReadSettings.read(directory, file, "pubsub.http=");
        assertThat(none.longPollingMaxTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(ReadSettings.read(directory, "")).isEqualTo(ReadSettings.set());
        assertThat(ReadSettings.read(directory, "http:\nchannels:\nadmin: {auth: }\n"))
                .isEqualTo(ReadSettings.set());
    }

    @Test
    void what_counts_is_shown_without_secrets() {
        Values values =
                ReadSettings.file(
                        directory,
                        """
                        admin: {auth: {bearer: [sesame], networks: [10.0.0.0/8]}}
                        channels: [{regex: .+, webhooks: [{url: 'http://u:sesame@a/', headers: {X: sesame}}]}]
                        storages: {r: {redis: {singleNode: 'a:1', password: sesame}}}
                        """,
                        "pubsub.admin.auth.bearer=[sesame2]",
                        "pubsub.http.pathPrefix=/x");
        PubsubSettings.BLOCK.read(values);
        assertThat(shown(values, "pubsub.admin"))
                .isEqualTo("{auth: {bearer: ***, networks: [10.0.0.0/8]}}");
        assertThat(shown(values, "pubsub.channels"))
                .isEqualTo("[{regex: .+, webhooks: [{url: http://***@a/, headers: ***}]}]");
        assertThat(shown(values, "pubsub.storages")).contains("password: ***");
        assertThat(shown(values, "pubsub.http")).isEqualTo("{pathPrefix: /x}");
        assertThat(shown(values, "pubsub.logging")).isEqualTo("{}");
        for (Key<?> key : ReadSettings.KEYS.all()) {
            assertThat(values.shown(key)).doesNotContain("sesame");
        }
    }

    private static String shown(Values values, String name) {
        return ReadSettings.KEYS.all().stream()
                .filter(key -> key.name().equals(name))
                .map(values::shown)
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "htpp: {} | ref.yaml:1: There is no setting 'pubsub.htpp'; did you mean http?",
                "http: {readTimeOut: 1s} | ref.yaml:1: There is no setting"
                        + " 'pubsub.http.readTimeOut'; did you mean readTimeout?",
                "storage: {} | ref.yaml:1: There is no setting 'pubsub.storage'; did you mean"
                        + " storages?",
                "http: 7 | ref.yaml:1: pubsub.http is a group; write its settings below it.",
                "http: {port: 70000} | ref.yaml:1: pubsub.http.port: A port is 0 to 65535.",
                "http: {port: x} | ref.yaml:1: pubsub.http.port: 'x' is not a whole number of at"
                        + " least 0.",
                "http: {pathPrefix: 'a b'} | ref.yaml:1: pubsub.http.pathPrefix: 'a b' is not a"
                        + " valid path; write /messages or /my/messages.",
                "http: {readTimeout: '30'} | ref.yaml:1: pubsub.http.readTimeout: '30' is not a"
                        + " valid time; write 500ms, 30s, 1h30m.",
                "http: {longPollingMaxTimeout: -1s} | ref.yaml:1:"
                        + " pubsub.http.longPollingMaxTimeout: '-1s' is below zero.",
                "http: {realIpHeader: Forwarded} | ref.yaml:1: pubsub.http.realIpHeader:"
                        + " 'Forwarded' is not understood; let the proxy send X-Forwarded-For.",
                "http: {trustedProxyRanges: [10.0.0.1/8]} | ref.yaml:1:"
                        + " pubsub.http.trustedProxyRanges: '10.0.0.1/8' is the address of a"
                        + " machine, not of a range; its last 24 bits must be 0.",
                "http: {discloseAuthRejectionDetail: maybe} | ref.yaml:1:"
                        + " pubsub.http.discloseAuthRejectionDetail: 'maybe' is neither true nor"
                        + " false.",
                "http: {cors: {origins: ['*'], credentials: true}} | ref.yaml:1:"
                        + " pubsub.http.cors.credentials: With credentials every origin must be"
                        + " named; * is too much.",
                "http: {cors: {origins: ['example.com']}} | ref.yaml:1: pubsub.http.cors.origins:"
                        + " 'example.com' is not a valid origin; write https://example.com or *.",
                "http: {defaultHeaders: {'a b': c}} | ref.yaml:1: pubsub.http.defaultHeaders.a b:"
                        + " This is not a valid header name.",
                "http: {pollingMaxMessages: 0} | ref.yaml:1: pubsub.http.pollingMaxMessages: '0' is"
                        + " not a whole number of at least 1.",
                "http: {maxMessageBytes: 0} | ref.yaml:1: pubsub.http.maxMessageBytes: '0' is out"
                        + " of bounds; use 1 to 64MiB.",
                "channels: {} | ref.yaml:1: pubsub.channels: It takes a list.",
                "channels: [{}] | ref.yaml:1: pubsub.channels[0].regex: An entry needs the names it"
                        + " is for, such as 'chat-.+'.",
                "channels: [{regex: '('}] | ref.yaml:1: pubsub.channels[0].regex: '(' is not a"
                        + " valid regular expression: missing closing ).",
                "channels: [{regex: a, expire: 0}] | ref.yaml:1: pubsub.channels[0].expire: '0' is"
                        + " not a time above zero.",
                "channels: [{regex: a, expires: 1m}] | ref.yaml:1: There is no setting"
                        + " 'pubsub.channels[0].expires'; did you mean expire?",
                "channels: [{regex: a, maxMessageBytes: 2MiB}] | ref.yaml:1:"
                        + " pubsub.channels[0].maxMessageBytes: '2MiB' is out of bounds; use 1 to"
                        + " 1MiB.",
                "channels: [{regex: a, webhooks: [{}]}] | ref.yaml:1:"
                        + " pubsub.channels[0].webhooks[0].url: A webhook needs an address.",
                "channels: [{regex: a, webhooks: [{url: /x}]}] | ref.yaml:1:"
                        + " pubsub.channels[0].webhooks[0].url: This is not a valid address; write"
                        + " https://example.com/path.",
                "channels: [{regex: a, webhooks: [{url: 'http://a/{{.channel.x}}'}]}] | ref.yaml:1:"
                        + " pubsub.channels[0].webhooks[0].url: The regex has no group 'x'; write"
                        + " (?P<x>…) in it.",
                "admin: {auth: {bearer: sesame}} | ref.yaml:1: pubsub.admin.auth.bearer: It takes a"
                        + " list.",
                "admin: {auth: {bearer: ['']}} | ref.yaml:1: pubsub.admin.auth.bearer: A token must"
                        + " not be empty.",
                "logging: {category: {http: loud}} | ref.yaml:1: pubsub.logging.category.http:"
                        + " 'loud' is not one of DEBUG, INFO, WARN, ERROR, FATAL.",
                "storages: {a: {}} | ref.yaml:1: pubsub.storages.a.redis: A storage is one of"
                        + " onmemory and redis.",
                "storages: {a: {onmemory: {}, redis: {singleNode: 'a:1'}}} | ref.yaml:1:"
                        + " pubsub.storages.a.redis: A storage is one of onmemory and redis, not"
                        + " both.",
                "storages: {a: {redis: {}}} | ref.yaml:1: pubsub.storages.a.redis.singleNode: Name"
                        + " exactly one of singleNode, cluster and sentinel.",
                "storages: {'a?b': {onmemory: {}}} | ref.yaml:1: pubsub.storages.a?b: 'a?b' is not"
                        + " a valid storage name; use letters, digits, _ . and -.",
                "telemetry: {ot: {tracing: {sampling: 2}}} | ref.yaml:1:"
                    + " pubsub.telemetry.ot.tracing.sampling: '2' is not a number from 0.0 to 1.0.",
                "sentry: {flushTimeout: 0} | ref.yaml:1: pubsub.sentry.flushTimeout: '0' is not a"
                        + " time above zero."
            })
    void a_mistake_is_told_with_file_and_key(String text, String sentence) {
        assertThat(ReadSettings.problems(directory, text)).containsExactly(sentence);
    }

    @Test
    void two_storages_are_refused() {
        assertThat(
                        ReadSettings.problems(
                                directory, "storages:\n  a: {onmemory: }\n  b: {onmemory: }\n"))
                .containsExactly(
                        "ref.yaml:2: pubsub.storages: There are 2 storages; one Redis keeps"
                                + " everything here. Keep one of them, and use Sentinel or Cluster"
                                + " for a Redis that survives its server.");
    }

    @Test
    void a_tab_anywhere_is_refused() {
        assertThat(ReadSettings.problems(directory, "http:\n  pathPrefix: a # x\ty\n"))
                .containsExactly("ref.yaml:2: here is a TAB; use blanks.");
    }

    @Test
    void all_mistakes_are_told_at_once() {
        assertThat(
                        ReadSettings.problems(
                                directory,
                                """
                                http: {readTimeout: x}
                                channels:
                                  - regex: a
                                    expire: -1s
                                """,
                                "pubsub.logging.category.http=loud"))
                .containsExactly(
                        "ref.yaml:1: pubsub.http.readTimeout: 'x' is not a valid time; write 500ms,"
                                + " 30s, 1h30m.",
                        "ref.yaml:4: pubsub.channels[0].expire: '-1s' is not a time above zero.",
                        "--set: pubsub.logging.category.http: 'loud' is not one of DEBUG, INFO,"
                                + " WARN, ERROR, FATAL.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a: [", "a: 'b\n", "- x: {", "a: b: c"})
    void what_is_no_yaml_is_told(String text) {
        assertThat(ReadSettings.problems(directory, text))
                .singleElement()
                .asString()
                .endsWith(
                        "this is not valid YAML; look at the indentation, quotes and colons around"
                                + " this line.");
    }

    @Test
    void a_file_that_is_not_there_is_told() {
        Values values = ReadSettings.values("pubsub.config=/nowhere/ref.yaml");
        PubsubSettings.BLOCK.read(values);
        assertThat(values.problems())
                .containsExactly("--set pubsub.config: '/nowhere/ref.yaml' does not exist.");
    }

    @Test
    void what_is_written_once_may_be_used_again() {
        PubsubSettings settings =
                ReadSettings.read(
                        directory, "channels:\n  - &one {regex: a, expire: 2m}\n  - *one\n");
        assertThat(settings.channels()).hasSize(2);
        assertThat(settings.channels().getLast().expire()).isEqualTo(Duration.ofMinutes(2));
    }
}
