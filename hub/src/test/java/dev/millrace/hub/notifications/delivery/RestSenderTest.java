package dev.millrace.hub.notifications.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.notifications.Receiver;
import dev.millrace.hub.notifications.Samples;
import dev.millrace.hub.notifications.kept.Notification;
import dev.millrace.hub.notifications.kept.TransmissionStatus;
import dev.millrace.hub.outside.Outside;
import dev.millrace.hub.settings.Network;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

class RestSenderTest {
    private static final NotificationsSettings.Sending SENDING =
            new NotificationsSettings.Sending(
                    1,
                    Duration.ofSeconds(20),
                    Duration.ofSeconds(20),
                    0,
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(1));

    private static RestSender sender(Optional<String> secret, String... denied) {
        return new RestSender(
                new Outside(),
                new NotificationsSettings.Rest(
                        secret, List.of(denied).stream().map(Network::of).toList()),
                SENDING);
    }

    /** From RFC 4231, test case 2. */
    @Test
    void a_signature_is_the_one_that_everybody_computes() {
        assertThat(
                        RestSender.signed(
                                "what do ya want for nothing?".getBytes(StandardCharsets.UTF_8),
                                "Jefe"))
                .isEqualTo(
                        "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    }

    @Test
    void a_secret_of_the_channel_counts_before_the_one_of_the_hub() throws Exception {
        try (Receiver receiver = Receiver.answering(200)) {
            RestSender sender = sender(Optional.of("hub"));
            Notification notification = Samples.notification("", "a");
            byte[] body = notification.content().getBytes(StandardCharsets.UTF_8);
            sender.send(notification, "t1", receiver.url(), Optional.empty());
            sender.send(notification, "t2", receiver.url(), Optional.of("channel"));
            assertThat(receiver.got())
                    .extracting(got -> got.header("X-millrace-signature"))
                    .containsExactly(
                            RestSender.signed(body, "hub"), RestSender.signed(body, "channel"));
            assertThat(receiver.got())
                    .extracting(Receiver.Got::transmission)
                    .containsExactly("t1", "t2");
        }
    }

    @Test
    void nothing_is_sent_to_an_address_that_is_denied() throws Exception {
        try (Receiver receiver = Receiver.answering(200)) {
            Attempt attempt =
                    sender(Optional.empty(), "127.0.0.0/8")
                            .send(
                                    Samples.notification("", "a"),
                                    "t",
                                    "http://localhost:%d/".formatted(receiver.port()),
                                    Optional.empty());
            assertThat(attempt.status()).isEqualTo(TransmissionStatus.FAILED);
            assertThat(attempt.response()).contains("notifications.rest.denied-networks");
            assertThat(receiver.got()).isEmpty();
        }
    }

    @Test
    void a_content_type_that_would_be_several_headers_is_a_failure() throws Exception {
        try (Receiver receiver = Receiver.answering(200)) {
            Notification plain = Samples.notification("", "a");
            Notification bad =
                    new Notification(
                            1,
                            1,
                            0,
                            "",
                            "a",
                            plain.sender(),
                            plain.category(),
                            plain.severity(),
                            "x",
                            "",
                            null,
                            List.of(),
                            "text/plain\r\nX-Evil: yes");
            Attempt attempt =
                    sender(Optional.empty()).send(bad, "t", receiver.url(), Optional.empty());
            assertThat(attempt.status()).isEqualTo(TransmissionStatus.FAILED);
            assertThat(receiver.got()).isEmpty();
        }
    }

    /** The JDK has no words for that, and the name of its class is not for a person. */
    @Test
    void that_nobody_listens_is_told_in_words() throws Exception {
        String url;
        try (Receiver gone = Receiver.answering(200)) {
            url = gone.url();
        }
        assertThat(
                        sender(Optional.empty())
                                .send(Samples.notification("", "a"), "t1", url, Optional.empty()))
                .isEqualTo(Attempt.failed("It was not reached."));
    }
}
