package dev.millrace.hub.notifications.delivery;

import dev.millrace.hub.notifications.kept.Notification;
import dev.millrace.hub.outside.Call;
import dev.millrace.hub.outside.Ended;
import dev.millrace.hub.outside.Limits;
import dev.millrace.hub.outside.Line;
import dev.millrace.hub.outside.Outside;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Sends notifications by HTTP POST. Only an answer from 200 to 299 means that it was received.
 * Redirects are not followed: who subscribes names one address, and no other gets the content.
 *
 * <p>Each attempt has a connection of its own. One that was kept open may have been closed by the
 * other side in the same moment, and a POST that meets that is lost; what is not critical is sent
 * only once. Thread-safe.
 */
public final class RestSender {
    static final String SIGNATURE = "X-Millrace-Signature";
    public static final String TRANSMISSION = "X-Millrace-Transmission";

    private static final Set<String> SCHEMES = Set.of("http", "https");

    private final Outside outside;
    private final NotificationsSettings.Rest settings;
    private final NotificationsSettings.Sending sending;

    public RestSender(
            Outside outside,
            NotificationsSettings.Rest settings,
            NotificationsSettings.Sending sending) {
        this.outside = outside;
        this.settings = settings;
        this.sending = sending;
    }

    Attempt send(
            Notification notification, String transmission, String url, Optional<String> secret)
            throws InterruptedException {
        URI target;
        try {
            target = target(url);
        } catch (URISyntaxException | IllegalArgumentException e) {
            return Attempt.failed("This cannot be sent: " + e.getMessage());
        }
        try (Line line = outside.line(limits())) {
            return read(line.send(call(target, notification, transmission, secret)));
        }
    }

    private Limits limits() {
        return Limits.within(sending.timeOut())
                .connectingWithin(connectTime())
                .outOf(settings.deniedNetworks());
    }

    private Attempt read(Ended end) {
        return switch (end) {
            case Ended.Answered(int status, byte[] unread) -> answered(status);
            case Ended.Misled(int status, String sentence) -> answered(status);
            case Ended.Denied(InetAddress address) ->
                    Attempt.failed(
                            "This cannot be sent: %s is in notifications.rest.denied-networks."
                                    .formatted(address.getHostAddress()));
            case Ended.NobodyThere(String host) ->
                    Attempt.failed("There is no machine with this name: " + host);
            case Ended.Impossible(String reason) ->
                    Attempt.failed("This cannot be sent: " + reason);
            case Ended.Late() ->
                    Attempt.failed("It was not reached, or gave no answer: request timed out");
            case Ended.Failed(HttpConnectTimeoutException slow) ->
                    Attempt.failed(
                            "It was not reached within %d ms.".formatted(connectTime().toMillis()));
            case Ended.Failed failed -> Attempt.failed(failed.sentence());
        };
    }

    private static URI target(String url) throws URISyntaxException {
        URI uri = new URI(url.strip());
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        if (!SCHEMES.contains(scheme) || uri.getHost() == null) {
            throw new IllegalArgumentException(
                    "the url of a channel begins with http:// or https://.");
        }
        return uri;
    }

    private Call call(
            URI target, Notification notification, String transmission, Optional<String> secret) {
        byte[] body = notification.content().getBytes(StandardCharsets.UTF_8);
        String type = notification.contentType();
        Call call =
                new Call("POST", target, List.of(), body)
                        .with("Content-Type", type.isBlank() ? "text/plain" : type)
                        .with(TRANSMISSION, transmission);
        return secret.or(settings::secret)
                .map(key -> call.with(SIGNATURE, signed(body, key)))
                .orElse(call);
    }

    public static String signed(byte[] body, String secret) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return "sha256=" + HexFormat.of().formatHex(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java has HmacSHA256.", e);
        }
    }

    private Duration connectTime() {
        return sending.connectTimeOut().compareTo(sending.timeOut()) < 0
                ? sending.connectTimeOut()
                : sending.timeOut();
    }

    private static Attempt answered(int status) {
        String line = "Got response status code: " + StatusLine.of(status);
        if (status >= 200 && status < 300) {
            return Attempt.sent(line);
        }
        return Attempt.failed(
                status >= 300 && status < 400 ? line + " (redirects are not followed)" : line);
    }
}
