package dev.millrace.hub.shop.pages;

import dev.millrace.hub.http.proxy.ProxyOptions;
import dev.millrace.hub.settings.Bytes;
import dev.millrace.hub.settings.Kind;
import dev.millrace.hub.settings.Network;
import dev.millrace.hub.settings.Setting;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The settings that begin with {@code shop.proxy}. */
public record ProxySettings(
        @Setting(
                        about =
                                "the port at which the shop's pages are served from the cache; 0"
                                        + " takes a free one, off serves none",
                        standard = "off",
                        by = "portOrOff")
                Port port,
        @Setting(
                        about = "the address on which it listens",
                        standard = "127.0.0.1",
                        meaning = Setting.Meaning.HOST)
                String host,
        @Setting(
                        about =
                                "a list: where the shop's web application is, as"
                                        + " http://127.0.0.1:3000; several serve in turn",
                        empty = "the demo shop, if shop.demo is true",
                        by = "application")
                List<URI> upstream,
        @Setting(
                        about =
                                "a path at which an application that works answers with 2xx or"
                                        + " 3xx; asked every 5 s",
                        empty = "only requests tell how it is",
                        by = "healthPath")
                Optional<String> health,
        @Setting(
                        about =
                                "a list: the addresses of proxies before this one, as 10.0.0.0/8,"
                                        + " whose word about a client is passed on",
                        empty = "none")
                List<Network> trusted,
        @Setting(
                        about = "how long connecting to the application may take",
                        standard = "2s",
                        most = "60s")
                Duration connectTimeOut,
        @Setting(
                        about = "how long the application may take until its answer begins",
                        standard = "30s")
                Duration answerTimeOut,
        @Setting(
                        about = "how long nothing may come of a body before it is given up",
                        standard = "60s")
                Duration stallTimeOut,
        @Setting(about = "how long a WebSocket may be silent in both directions", standard = "10m")
                Duration tunnelTimeOut,
        @Setting(
                        about = "how long a client may be connected without asking for anything",
                        standard = "60s")
                Duration idleTimeOut,
        @Setting(
                        about = "how many clients may be connected",
                        standard = "10000",
                        least = "1",
                        most = "1000000")
                int maxConnections,
        @Setting(
                        about = "how many connections to one application there may be",
                        standard = "256",
                        least = "1",
                        most = "65535")
                int upstreamConnections,
        @Setting(
                        about = "how many requests may wait for such a connection",
                        standard = "1024",
                        least = "1",
                        most = "1000000")
                int maxWaiting,
        @Setting(
                        about = "the largest head of a request or an answer",
                        standard = "32KiB",
                        least = "1KiB",
                        most = "1MiB")
                Bytes maxHeader,
        @Setting(
                        about = "the largest body of a request",
                        standard = "100MiB",
                        least = "1KiB",
                        most = "100GiB")
                Bytes maxBody) {
    private static final Duration STOP = Duration.ofSeconds(5);

    public ProxySettings {
        upstream = List.copyOf(upstream);
        trusted = List.copyOf(trusted);
    }

    /**
     * A port, or none.
     *
     * @param number 0 for a free one; empty for off
     */
    public record Port(Optional<Integer> number) {}

    static Port portOrOff(String text) {
        if (text.equalsIgnoreCase("off")) {
            return new Port(Optional.empty());
        }
        try {
            return new Port(Optional.of(Kind.PORT.read(List.of(text))));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "'%s' is not a port; use 1 to 65535, 0 for a free one, or off.".formatted(text),
                    e);
        }
    }

    static URI application(String text) {
        try {
            URI url = new URI(text);
            boolean web = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
            if (web
                    && url.getHost() != null
                    && url.getRawUserInfo() == null
                    && url.getRawQuery() == null
                    && url.getRawFragment() == null
                    && url.getPort() <= 65535) {
                return url;
            }
        } catch (URISyntaxException e) {
            // said below
        }
        throw new IllegalArgumentException(
                "'%s' is not the address of a web application; write http://host:port."
                        .formatted(text));
    }

    static String healthPath(String text) {
        if (text.startsWith("/") && text.chars().allMatch(each -> each > ' ' && each < 0x7F)) {
            return text;
        }
        throw new IllegalArgumentException("'%s' is not a path; write /health.".formatted(text));
    }

    ProxyOptions options(int port, List<URI> applications) {
        return new ProxyOptions(
                host,
                port,
                applications,
                trusted,
                new ProxyOptions.Times(
                        connectTimeOut,
                        answerTimeOut,
                        stallTimeOut,
                        tunnelTimeOut,
                        idleTimeOut,
                        STOP),
                new ProxyOptions.Bounds(
                        maxConnections,
                        upstreamConnections,
                        maxWaiting,
                        (int) maxHeader.count(),
                        maxBody.count()),
                health);
    }
}
