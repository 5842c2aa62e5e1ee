package dev.millrace.hub.notifications.delivery;

import dev.millrace.hub.settings.Block;
import dev.millrace.hub.settings.Key;
import dev.millrace.hub.settings.Network;
import dev.millrace.hub.settings.Setting;
import dev.millrace.hub.work.BackOff;
import dev.millrace.hub.work.Keep;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The settings of notifications and their delivery. */
public record NotificationsSettings(
        @Setting(
                        about =
                                "the largest limit that a query may ask for; more is answered with"
                                        + " 413",
                        standard = "500000",
                        least = "1",
                        most = "100000000")
                int maxResults,
        @Setting(
                        about =
                                "how often notifications of severity NORMAL are sent; until then"
                                        + " they are NEW",
                        empty = "at once",
                        least = "10ms")
                Optional<Duration> normalBatch,
        @Setting(
                        about = "how much is sent at once to one subscription, by each hub",
                        standard = "8",
                        least = "1",
                        most = "1000")
                int parallel,
        @Setting(
                        about = "how long one attempt to send something may take",
                        standard = "10s",
                        least = "10ms")
                Duration timeOut,
        @Setting(
                        about = "how long it may take to reach a receiver or the mail server",
                        standard = "3s",
                        least = "10ms")
                Duration connectTimeOut,
        @Setting(
                        about =
                                "how often a CRITICAL notification that failed is sent again,"
                                        + " before it is escalated",
                        standard = "2",
                        least = "0",
                        most = "1000")
                int resendLimit,
        @Setting(
                        about = "how long to wait before it is sent again; doubled each time",
                        standard = "5s",
                        least = "10ms")
                Duration resendWait,
        @Setting(about = "the longest such wait", standard = "5m", least = "10ms")
                Duration resendLongestWait,
        Rest rest,
        @Setting(
                        about =
                                "how old notifications with their transmissions may become, by the"
                                        + " time they were created, before they are removed",
                        empty = "any age",
                        least = "1s")
                Optional<Duration> keepAge,
        @Setting(
                        about =
                                "how many notifications with their transmissions are kept, the"
                                        + " newest ones; off for any number",
                        standard = "100000")
                Keep.Count keepCount,
        @Setting(
                        about =
                                "how much memory notifications with their transmissions may take"
                                        + " with their indexes, by estimate; off for any size",
                        empty = "half of the maxmemory of Redis; 2GB where it has none")
                Optional<Keep.Size> keepBytes,
        MailSettings smtp) {

    public static final Block<NotificationsSettings> BLOCK =
            Block.of("notifications", "Notifications", NotificationsSettings.class);

    /** What counts for REST alone. */
    public record Rest(
            @Setting(
                            about =
                                    "signs what is sent by REST over channels without a secret of"
                                            + " their own: X-Millrace-Signature",
                            empty = "not signed",
                            secrecy = Key.Secrecy.SECRET)
                    Optional<String> secret,
            @Setting(
                            about =
                                    "addresses that nothing is sent to by REST, whoever subscribes"
                                            + " with them",
                            standard = "169.254.0.0/16,fe80::/10")
                    List<Network> deniedNetworks) {}

    /**
     * How something is sent, over whatever channel.
     *
     * @param parallel how many at once for one subscription, in this hub
     * @param resendWait until the first time; doubled for each one after
     */
    public record Sending(
            int parallel,
            Duration timeOut,
            Duration connectTimeOut,
            int resendLimit,
            Duration resendWait,
            Duration longestWait) {

        /** What failed together does not come back together. */
        BackOff backOff() {
            return BackOff.doubling(resendWait, longestWait).spread(0.2, 0.2);
        }
    }

    public Sending sending() {
        return new Sending(
                parallel, timeOut, connectTimeOut, resendLimit, resendWait, resendLongestWait);
    }

    /** How many notifications are kept, and for how long. */
    public Keep keep() {
        return Keep.of(keepAge, keepCount, keepBytes);
    }

    /** The same under the names that EdgeX has for it; the password is masked. */
    public Map<String, Map<String, Object>> config() {
        return Map.of(
                "Writable",
                Map.of("ResendLimit", resendLimit),
                "Smtp",
                Map.of(
                        "Host",
                        smtp.host().orElse(""),
                        "Port",
                        smtp.port(),
                        "Username",
                        smtp.username().orElse(""),
                        "Password",
                        smtp.password().map(password -> "***").orElse(""),
                        "Sender",
                        smtp.sender(),
                        "Subject",
                        smtp.subject(),
                        "EnableSelfSignedCert",
                        smtp.selfSigned()));
    }
}
