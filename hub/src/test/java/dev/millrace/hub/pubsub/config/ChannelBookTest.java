package dev.millrace.hub.pubsub.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.http.Header;
import dev.millrace.hub.pubsub.channels.MessageNames;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/** Which rules apply to a name. */
class ChannelBookTest {

    private static ChannelBook book(String channels) {
        return new ChannelBook(ReadSettings.set("pubsub.channels=" + channels));
    }

    private static ChannelRules rules(String channels, String name) {
        return book(channels).rules(name).orElseThrow();
    }

    @Test
    void without_an_entry_every_name_is_a_channel() {
        assertThat(rules("[]", "any"))
                .isEqualTo(
                        new ChannelRules(Duration.ofMinutes(30), List.of(), List.of(), 1 << 20, 0));
    }

    @ParameterizedTest
    @CsvSource({
        "chat-1, true",
        "chat-, false",
        "xchat-1, false",
        "chat-1x, false",
        "news, true",
        "new, false",
        "1chat-1, false"
    })
    void a_name_is_a_channel_if_the_whole_of_it_matches(String name, boolean known) {
        ChannelBook book = book("[{regex: 'chat-[0-9]+'}, {regex: news}]");
        assertThat(book.rules(name).isPresent()).isEqualTo(known);
        assertThat(book.rules(name).isPresent()).as("again").isEqualTo(known);
    }

    @Test
    void all_entries_that_match_apply_together() {
        ChannelRules rules =
                rules(
                        """
                        [{regex: 'chat-(?P<id>.+)', expire: 10m, maxMessageBytes: 100, maxPerSecond: 9,
                          webhooks: [{url: 'http://a/{{.channel.id}}', headers: {X: '{{.channel.id}}'}}]},
                         {regex: '(?P<id>.+)-7', expire: 5m, maxPerSecond: 3,
                          webhooks: [{url: 'http://b/{{.channel.id}}', method: Post}]},
                         {regex: other, expire: 24h, maxPerSecond: 1, webhooks: [{url: 'http://c/'}]}]
                        """,
                        "chat-7");
        assertThat(rules.expire()).isEqualTo(Duration.ofMinutes(10));
        assertThat(rules.maxMessageBytes()).isEqualTo(100);
        assertThat(rules.maxPerSecond()).isEqualTo(3);
        assertThat(rules.webhooks()).hasSize(2);
        Webhook first = rules.webhooks().getFirst();
        assertThat(first.url()).isEqualTo(URI.create("http://a/7"));
        assertThat(first.method()).isEqualTo("PUT");
        assertThat(first.headers()).containsExactly(new Header("X", "7"));
        Webhook second = rules.webhooks().getLast();
        assertThat(second.url()).isEqualTo(URI.create("http://b/chat"));
        assertThat(second.method()).isEqualTo("POST");
    }

    @Test
    void a_webhook_has_the_defaults_of_the_reference() {
        Webhook webhook =
                rules("[{regex: .+, webhooks: [{url: 'http://a/'}]}]", "x").webhooks().getFirst();
        assertThat(webhook.timeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(webhook.maxRedirects()).isEqualTo(10);
        assertThat(webhook.retry())
                .isEqualTo(
                        new Webhook.Retry(
                                3, Duration.ofSeconds(3), 1.5, Duration.ofMillis(1500), false));
        assertThat(webhook.maxConnections()).isEqualTo(1024);
        assertThat(webhook.maxIdleTime()).isEqualTo(Duration.ofMinutes(3));
        assertThat(webhook.subscriber()).matches("webhook-[0-9a-f]{12}");
        assertThat(MessageNames.isValid(webhook.subscriber())).isTrue();
    }

    @Test
    void a_webhook_keeps_its_id_whatever_stands_around_it() {
        String one = "{url: 'http://a/'}";
        String id =
                rules("[{regex: .+, webhooks: [%s]}]".formatted(one), "x")
                        .webhooks()
                        .getFirst()
                        .id();
        List<Webhook> more =
                rules(
                                "[{regex: x}, {regex: .+, expire: 1m, webhooks: [{url: 'http://b/'}, %s, %s]}]"
                                        .formatted("{url: 'http://a/', timeout: 1s}", one),
                                "y")
                        .webhooks();
        assertThat(more).extracting(Webhook::id).doesNotHaveDuplicates().contains(id);
        assertThat(more.get(1).id()).isEqualTo(id);
    }

    @ParameterizedTest
    @CsvSource({"30m, 1815", "1s, 16", "1ms, 16", "1.5s, 17", "100ns, 16", "876000h, 2147483647"})
    void keys_live_fifteen_seconds_longer_in_whole_seconds(String expire, int seconds) {
        assertThat(rules("[{regex: .+, expire: %s}]".formatted(expire), "x").seconds())
                .isEqualTo(seconds);
    }

    @Test
    void a_regex_that_would_take_for_ever_elsewhere_takes_no_time() {
        ChannelBook book = book("[{regex: '(a+)+b'}]");
        assertThat(book.rules("a".repeat(63))).isEmpty();
    }
}
