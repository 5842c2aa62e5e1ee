package dev.millrace.hub.notifications;

import dev.millrace.hub.settings.Block;
import dev.millrace.hub.settings.Key;
import dev.millrace.hub.settings.Keys;
import dev.millrace.hub.settings.Kind;
import dev.millrace.hub.settings.Network;
import dev.millrace.hub.settings.Values;
import dev.millrace.hub.work.Keep;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of notifications and their delivery.
 *
 * @param maxResults the largest limit that a query may ask for
 * @param normalBatch how often those of severity NORMAL are distributed; empty for at once
 * @param keep how many notifications are kept, and for how long
 */
public record NotificationsSettings(
        int maxResults,
        Optional<Duration> normalBatch,
        Keep keep,
        Sending sending,
        Rest rest,
        MailSettings mail) {

    /**
     * How something is sent, over whatever channel.
     *
     * @param parallel how many at once for one subscription, in this hub
     * @param timeOut how long one attempt may take
     * @param connectTimeOut how long it may take to reach the other side
     * @param resendLimit how often what is critical is sent again
     * @param resendWait until the first time; doubled for each one after
     */
    public record Sending(
            int parallel,
            Duration timeOut,
            Duration connectTimeOut,
            int resendLimit,
            Duration resendWait,
            Duration longestWait) {}

    /**
     * What counts for REST alone.
     *
     * @param secret signs what is sent over a channel that has none of its own
     * @param denied where nothing is sent to
     */
    public record Rest(Optional<String> secret, List<Network> denied) {}

    private static final Duration MOMENT = Duration.ofMillis(10);

    private static final Key<Integer> MAX_RESULTS =
            Key.of(
                    "notifications.max-results",
                    Kind.number(1, 100_000_000),
                    "500000",
                    "the largest limit that a query may ask for; more is answered with 413");

    private static final Key<Optional<Duration>> NORMAL_BATCH =
            Key.optional(
                    "notifications.normal-batch",
                    Kind.time(MOMENT),
                    "at once",
                    "how often notifications of severity NORMAL are sent; until then they are NEW");

    private static final Key<Integer> PARALLEL =
            Key.of(
                    "notifications.parallel",
                    Kind.number(1, 1000),
                    "8",
                    "how much is sent at once to one subscription, by each hub");

    private static final Key<Duration> TIME_OUT =
            Key.of(
                    "notifications.time-out",
                    Kind.time(MOMENT),
                    "10s",
                    "how long one attempt to send something may take");

    private static final Key<Duration> CONNECT_TIME_OUT =
            Key.of(
                    "notifications.connect-time-out",
                    Kind.time(MOMENT),
                    "3s",
                    "how long it may take to reach a receiver or the mail server");

    private static final Key<Integer> RESEND_LIMIT =
            Key.of(
                    "notifications.resend-limit",
                    Kind.number(0, 1000),
                    "2",
                    "how often a CRITICAL notification that failed is sent again, before it is"
                            + " escalated");

    private static final Key<Duration> RESEND_WAIT =
            Key.of(
                    "notifications.resend-wait",
                    Kind.time(MOMENT),
                    "5s",
                    "how long to wait before it is sent again; doubled each time");

    private static final Key<Duration> LONGEST_WAIT =
            Key.of(
                    "notifications.resend-longest-wait",
                    Kind.time(MOMENT),
                    "5m",
                    "the longest such wait");

    private static final Keep.Settings KEEP =
            Keep.settings("notifications", "notifications with their transmissions", 100_000);

    private static final Key<Optional<String>> REST_SECRET =
            Key.optional(
                            "notifications.rest.secret",
                            Kind.TEXT,
                            "not signed",
                            "signs what is sent by REST over channels without a secret of their"
                                    + " own: X-Millrace-Signature")
                    .secret();

    private static final Key<List<Network>> REST_DENIED =
            Key.of(
                    "notifications.rest.denied-networks",
                    Kind.list(Kind.NETWORK),
                    "169.254.0.0/16,fe80::/10",
                    "addresses that nothing is sent to by REST, whoever subscribes with them");

    static final Keys.Group KEYS = new Keys.Group("Notifications", keys());

    private static List<Key<?>> keys() {
        List<Key<?>> keys =
                new ArrayList<>(
                        List.of(
                                MAX_RESULTS,
                                NORMAL_BATCH,
                                PARALLEL,
                                TIME_OUT,
                                CONNECT_TIME_OUT,
                                RESEND_LIMIT,
                                RESEND_WAIT,
                                LONGEST_WAIT,
                                REST_SECRET,
                                REST_DENIED));
        keys.addAll(KEEP.keys());
        keys.addAll(MailSettings.KEYS);
        return List.copyOf(keys);
    }

    public static final Block<NotificationsSettings> BLOCK =
            new Block<>(KEYS, NotificationsSettings::read);

    static NotificationsSettings read(Values values) {
        return new NotificationsSettings(
                values.get(MAX_RESULTS),
                values.get(NORMAL_BATCH),
                KEEP.read(values),
                new Sending(
                        values.get(PARALLEL),
                        values.get(TIME_OUT),
                        values.get(CONNECT_TIME_OUT),
                        values.get(RESEND_LIMIT),
                        values.get(RESEND_WAIT),
                        values.get(LONGEST_WAIT)),
                new Rest(values.get(REST_SECRET), values.get(REST_DENIED)),
                MailSettings.read(values));
    }

    /** The same under the names that EdgeX has for it; the password is masked. */
    Map<String, Map<String, Object>> config() {
        return Map.of(
                "Writable",
                Map.of("ResendLimit", sending.resendLimit()),
                "Smtp",
                Map.of(
                        "Host",
                        mail.host().orElse(""),
                        "Port",
                        mail.port(),
                        "Username",
                        mail.username().orElse(""),
                        "Password",
                        mail.password().map(password -> "***").orElse(""),
                        "Sender",
                        mail.sender(),
                        "Subject",
                        mail.subject(),
                        "EnableSelfSignedCert",
                        mail.selfSigned()));
    }
}
