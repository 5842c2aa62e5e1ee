package dev.millrace.hub.notifications;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;

import dev.millrace.hub.TestHub;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestPorts;

import jakarta.mail.internet.MimeMessage;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Notifications by e-mail, with a real mail server. */
class MailDeliveryTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private int port;

    @BeforeEach
    void takePort() throws IOException {
        SharedServers.standalone();
        SharedServers.flushAll();
        port = TestPorts.take();
    }

    private GreenMail mailServer() {
        return new GreenMail(new ServerSetup(port, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
    }

    private TestHub hub(String... more) {
        List<String> settings =
                new ArrayList<>(
                        List.of(
                                "notifications.resend-wait=20ms",
                                "notifications.resend-longest-wait=100ms",
                                "notifications.time-out=20s",
                                "notifications.smtp.host=127.0.0.1",
                                "notifications.smtp.port=" + port,
                                "notifications.smtp.sender=plant@millrace.example"));
        settings.addAll(List.of(more));
        return TestHub.start(SharedServers.standalone().url(), settings.toArray(String[]::new));
    }

    private static void subscribed(TestHub hub, String addresses) {
        hub.send(
                "POST",
                "/api/v1/subscription",
                """
                {"slug":"s","receiver":"ann","subscribedCategories":["SW_HEALTH"],\
                "channels":[{"type":"EMAIL","mailAddresses":[%s]}]}\
                """
                        .formatted(addresses));
    }

    private static void post(TestHub hub, String slug, String severity, String... more) {
        hub.send("POST", "/api/v1/notification", Samples.json(slug, severity, more));
    }

    private static JsonNode awaitStatus(TestHub hub, String slug, String status) {
        String path = "/api/v1/transmission/slug/" + slug + "/1";
        return await().atMost(PATIENCE)
                .until(
                        () -> hub.get(path).json().at("/0"),
                        each -> each.at("/status").asString().equals(status));
    }

    @Test
    void a_mail_has_all_its_headers_and_the_content() throws Exception {
        GreenMail server = mailServer();
        server.start();
        try (TestHub hub = hub()) {
            subscribed(hub, "\"ann@x.example\",\"ben@x.example\"");
            String longLine = "ä".repeat(1500);
            post(
                    hub,
                    "a",
                    "NORMAL",
                    "\"contenttype\":\"text/html\"",
                    "\"content\":\"<b>%s</b>\"".formatted(longLine));
            JsonNode sent = awaitStatus(hub, "a", "SENT");
            assertThat(sent.at("/records/0/response").asString()).isEqualTo("SMTP server received");
            MimeMessage[] mails = server.getReceivedMessages();
            assertThat(mails).hasSize(2);
            MimeMessage mail = mails[0];
            assertThat(mail.getFrom()[0]).hasToString("plant@millrace.example");
            assertThat(mail.getAllRecipients()).hasSize(2);
            assertThat(mail.getSubject()).isEqualTo("Millrace notification");
            assertThat(mail.getSentDate()).isNotNull();
            assertThat(mail.getMessageID())
                    .isEqualTo("<" + sent.get("id").asString() + "@millrace.example>");
            assertThat(mail.getHeader("MIME-Version", null)).isEqualTo("1.0");
            assertThat(mail.getContentType()).startsWith("text/html").containsIgnoringCase("utf-8");
            assertThat(String.valueOf(mail.getContent()).strip())
                    .isEqualTo("<b>" + longLine + "</b>");
        } finally {
            server.stop();
        }
    }

    @Test
    void a_mail_server_that_is_down_and_comes_back_gets_it() {
        try (TestHub hub = hub("notifications.resend-limit=1000")) {
            subscribed(hub, "\"ann@x.example\"");
            post(hub, "a", "CRITICAL");
            await().atMost(PATIENCE)
                    .until(() -> awaitStatus(hub, "a", "FAILED").get("resendcount").asInt() >= 2);
            GreenMail server = mailServer();
            server.start();
            try {
                JsonNode sent = awaitStatus(hub, "a", "SENT");
                assertThat(server.getReceivedMessages()).hasSize(1);
                assertThat(sent.at("/records/0/response").asString())
                        .startsWith("The mail was not sent: ");
            } finally {
                server.stop();
            }
        }
    }

    @Test
    void a_mail_server_that_stays_down_leads_to_an_escalation() {
        try (TestHub hub = hub();
                Receiver boss = Receiver.answering(200)) {
            subscribed(hub, "\"ann@x.example\"");
            hub.send(
                    "POST",
                    "/api/v1/subscription",
                    "{\"slug\":\"ESCALATION\",\"channels\":[{\"type\":\"REST\",\"url\":\"%s\"}]}"
                            .formatted(boss.url()));
            post(hub, "a", "CRITICAL");
            assertThat(awaitStatus(hub, "a", "TRXESCALATED").get("records")).hasSize(3);
            awaitStatus(hub, "escalated-a", "SENT");
            assertThat(boss.got()).hasSize(1);
        }
    }

    @Test
    void who_logs_in_with_a_wrong_password_is_told() {
        GreenMail server = mailServer();
        server.setUser("plant@millrace.example", "right");
        server.start();
        try (TestHub hub = hub("notifications.smtp.password=wrong")) {
            subscribed(hub, "\"ann@x.example\"");
            post(hub, "a", "NORMAL");
            assertThat(awaitStatus(hub, "a", "FAILED").at("/records/0/response").asString())
                    .startsWith("The mail was not sent: ")
                    .doesNotContain("wrong");
        } finally {
            server.stop();
        }
        assertThat(server.getReceivedMessages()).isEmpty();
    }

    @Test
    void what_is_no_mail_address_fails_with_a_sentence() {
        try (TestHub hub = hub()) {
            subscribed(hub, "\"not an address\"");
            post(hub, "a", "NORMAL");
            assertThat(awaitStatus(hub, "a", "FAILED").at("/records/0/response").asString())
                    .startsWith("The mail was not sent: ");
        }
    }
}
