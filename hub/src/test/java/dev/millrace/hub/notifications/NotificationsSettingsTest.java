package dev.millrace.hub.notifications;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.hub.notifications.delivery.MailSettings;
import dev.millrace.hub.notifications.delivery.NotificationsSettings;
import dev.millrace.hub.settings.BadSettingsException;
import dev.millrace.hub.settings.Keys;
import dev.millrace.hub.settings.Network;
import dev.millrace.hub.settings.SettingsSources;
import dev.millrace.hub.settings.Values;
import dev.millrace.hub.work.Keep;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

class NotificationsSettingsTest {

    private static NotificationsSettings read(String... set) {
        Values values =
                SettingsSources.read(
                        new Keys(List.of(NotificationsSettings.BLOCK.keys())),
                        Optional.empty(),
                        List.of(set),
                        Map.of());
        NotificationsSettings settings = NotificationsSettings.BLOCK.read(values);
        values.mustBeRight();
        return settings;
    }

    @Test
    void nothing_said_means_the_defaults() {
        assertThat(read())
                .isEqualTo(
                        new NotificationsSettings(
                                500_000,
                                Optional.empty(),
                                8,
                                Duration.ofSeconds(10),
                                Duration.ofSeconds(3),
                                2,
                                Duration.ofSeconds(5),
                                Duration.ofMinutes(5),
                                new NotificationsSettings.Rest(
                                        Optional.empty(),
                                        List.of(
                                                Network.of("169.254.0.0/16"),
                                                Network.of("fe80::/10"))),
                                Optional.empty(),
                                new Keep.Count(100_000),
                                Optional.empty(),
                                new MailSettings(
                                        Optional.empty(),
                                        587,
                                        Optional.empty(),
                                        Optional.empty(),
                                        "millrace@localhost",
                                        "Millrace notification",
                                        false)));
    }

    @Test
    void every_key_is_mapped() {
        assertThat(
                        read(
                                "notifications.max-results=7",
                                "notifications.normal-batch=1h",
                                "notifications.keep-age=2d",
                                "notifications.keep-count=9",
                                "notifications.keep-bytes=1MB",
                                "notifications.parallel=3",
                                "notifications.time-out=4s",
                                "notifications.connect-time-out=5s",
                                "notifications.resend-limit=6",
                                "notifications.resend-wait=7s",
                                "notifications.resend-longest-wait=8m",
                                "notifications.rest.secret=geheim",
                                "notifications.rest.denied-networks=10.0.0.0/8",
                                "notifications.smtp.host=mail.example",
                                "notifications.smtp.port=25",
                                "notifications.smtp.username=ann",
                                "notifications.smtp.password=word",
                                "notifications.smtp.sender=a@b",
                                "notifications.smtp.subject=Look",
                                "notifications.smtp.self-signed=yes"))
                .isEqualTo(
                        new NotificationsSettings(
                                7,
                                Optional.of(Duration.ofHours(1)),
                                3,
                                Duration.ofSeconds(4),
                                Duration.ofSeconds(5),
                                6,
                                Duration.ofSeconds(7),
                                Duration.ofMinutes(8),
                                new NotificationsSettings.Rest(
                                        Optional.of("geheim"), List.of(Network.of("10.0.0.0/8"))),
                                Optional.of(Duration.ofDays(2)),
                                new Keep.Count(9),
                                Optional.of(new Keep.Size(1L << 20)),
                                new MailSettings(
                                        Optional.of("mail.example"),
                                        25,
                                        Optional.of("ann"),
                                        Optional.of("word"),
                                        "a@b",
                                        "Look",
                                        true)));
    }

    @Test
    void a_subject_that_would_be_several_headers_is_refused() {
        assertThatThrownBy(() -> read("notifications.smtp.subject=a\nBcc: b@c"))
                .isInstanceOf(BadSettingsException.class)
                .hasMessageContaining("one line of text");
    }
}
