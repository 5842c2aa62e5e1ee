package dev.millrace.hub.notifications.delivery;

import dev.millrace.hub.notifications.kept.Notification;

import dev.millrace.hub.settings.Network;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HexFormat;
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

    private final NotificationsSettings.Rest settings;
    private final NotificationsSettings.Sending sending;

    public RestSender(NotificationsSettings.Rest settings, NotificationsSettings.Sending sending) {
        this.settings = settings;
        this.sending = sending;
    }

    Attempt send(
            Notification notification, String transmission, String url, Optional<String> secret)
            throws InterruptedException {
        try {
            URI target = target(url);
            mustBeAllowed(target);
            return post(request(target, notification, transmission, secret));
        } catch (URISyntaxException | IllegalArgumentException e) {
            return Attempt.failed("This cannot be sent: " + e.getMessage());
        } catch (UnknownHostException e) {
            return Attempt.failed("There is no machine with this name: " + e.getMessage());
        } catch (HttpConnectTimeoutException e) {
            return Attempt.failed(
                    "It was not reached within %d ms.".formatted(connectTime().toMillis()));
        } catch (IOException e) {
            return Attempt.failed(reason(e));
        }
    }

    /** Some failures of the JDK have no words, and the name of a class says nothing to a person. */
    private static String reason(IOException e) {
        if (e instanceof ConnectException) {
            return "It was not reached.";
        }
        String message = e.getMessage();
        return message == null || message.isEmpty()
                ? "It was not reached, or gave no answer."
                : "It was not reached, or gave no answer: " + message;
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

    /** The answer is remembered by Java for a while, so the client will get the same. */
    private void mustBeAllowed(URI target) throws UnknownHostException {
        for (InetAddress address : InetAddress.getAllByName(target.getHost())) {
            for (Network denied : settings.deniedNetworks()) {
                if (denied.contains(address)) {
                    throw new IllegalArgumentException(
                            "%s is in notifications.rest.denied-networks."
                                    .formatted(address.getHostAddress()));
                }
            }
        }
    }

    private HttpRequest request(
            URI target, Notification notification, String transmission, Optional<String> secret) {
        byte[] body = notification.content().getBytes(StandardCharsets.UTF_8);
        HttpRequest.Builder request =
                HttpRequest.newBuilder(target)
                        .timeout(sending.timeOut())
                        .header(
                                "Content-Type",
                                notification.contentType().isBlank()
                                        ? "text/plain"
                                        : notification.contentType())
                        .header(TRANSMISSION, transmission)
                        .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        secret.or(settings::secret).ifPresent(key -> request.header(SIGNATURE, signed(body, key)));
        return request.build();
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

    private Attempt post(HttpRequest request) throws IOException, InterruptedException {
        HttpClient client =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .connectTimeout(connectTime())
                        .build();
        try {
            HttpResponse<InputStream> response =
                    client.send(request, HttpResponse.BodyHandlers.ofInputStream());
            // Whatever it says is not read: it could be endless.
            response.body().close();
            return answered(response.statusCode());
        } finally {
            client.shutdownNow();
        }
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
