package dev.millrace.hub.http.server;

import dev.millrace.hub.settings.Block;
import dev.millrace.hub.settings.Bytes;
import dev.millrace.hub.settings.Checked;
import dev.millrace.hub.settings.Network;
import dev.millrace.hub.settings.Setting;

import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The settings of the HTTP server. */
public record HttpSettings(
        @Setting(
                        about =
                                "the address to listen on; 0.0.0.0 for all, which needs access.mode"
                                        + " token",
                        standard = "127.0.0.1",
                        meaning = Setting.Meaning.HOST)
                String host,
        @Setting(
                        about = "the port to listen on; 0 takes a free one",
                        standard = "8080",
                        meaning = Setting.Meaning.PORT)
                int port,
        @Setting(
                        about =
                                "a list: further names under which clients may call the hub, as"
                                        + " hub.example; pages of other names are kept out",
                        empty =
                                "those of loopback on a loopback address where somebody needs no"
                                        + " token, else any",
                        meaning = Setting.Meaning.HOST)
                List<String> hosts,
        Tls tls,
        Pages cors,
        @Setting(
                        about =
                                "the largest body of a request, where a route has no limit of its"
                                        + " own",
                        standard = "1MiB",
                        least = "1",
                        most = "1GiB")
                Bytes maxBody,
        @Setting(
                        about = "the largest head of a request, all its lines together",
                        standard = "16KiB",
                        least = "1KiB",
                        most = "1MiB")
                Bytes maxHeader,
        @Setting(
                        about = "how many clients may be connected",
                        standard = "20000",
                        least = "1",
                        most = "1000000")
                int maxConnections,
        @Setting(
                        about =
                                "how many requests may be at work at once; more are told to come"
                                        + " again",
                        standard = "2048",
                        least = "1",
                        most = "1000000")
                int maxInFlight,
        @Setting(about = "how long a request may be at work", standard = "30s")
                Duration requestTimeOut,
        @Setting(
                        about = "within what time the whole body of a request must have arrived",
                        standard = "30s")
                Duration bodyTimeOut,
        @Setting(
                        about =
                                "within what time the complete head of the next request must have"
                                        + " arrived",
                        standard = "60s")
                Duration idleTimeOut,
        @Setting(
                        about = "how long a stop waits for the requests that are at work",
                        standard = "10s")
                Duration stopTimeOut,
        @Setting(
                        about =
                                "a list: the addresses of proxies before us, as 10.0.0.0/8, whose"
                                        + " word about the address of a client is believed",
                        empty = "none")
                List<Network> trustedProxies,
        @Setting(
                        about = "the header in which those proxies say it",
                        empty = "X-Forwarded-For",
                        by = "headerName")
                Optional<String> realIpHeader)
        implements Checked {

    public static final Block<HttpSettings> BLOCK =
            Block.of(
                    "http",
                    "The HTTP server: where it listens, and how much it takes",
                    HttpSettings.class);

    /** Whether it is encrypted: with both files, or not at all. */
    public record Tls(
            @Setting(
                            about =
                                    "a PEM file: the certificate of this server, and those that"
                                            + " vouch for it",
                            empty = "not encrypted")
                    Optional<Path> cert,
            @Setting(about = "a PEM file: the private key to it", empty = "none")
                    Optional<Path> key)
            implements Checked {

        @Override
        public void check(Problems problems) {
            cert.ifPresent(file -> mustBeReadable(problems, "cert", file));
            key.ifPresent(file -> mustBeReadable(problems, "key", file));
            if (cert.isPresent() && key.isEmpty()) {
                problems.note(
                        "cert", "a certificate needs its private key; name it in http.tls.key.");
            } else if (key.isPresent() && cert.isEmpty()) {
                problems.note("key", "a key needs its certificate; name it in http.tls.cert.");
            }
        }

        private static void mustBeReadable(Problems problems, String setting, Path file) {
            if (!Files.exists(file)) {
                problems.note(setting, "'%s' does not exist.".formatted(file));
            } else if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
                problems.note(
                        setting,
                        "'%s' is not a readable file; look at its owner and mode.".formatted(file));
            }
        }
    }

    /** PEM files: a certificate with those that vouch for it, and its private key. */
    public record TlsFiles(Path certificate, Path key) {}

    /** What pages of other sites may do. */
    public record Pages(
            @Setting(
                            about =
                                    "a list: from which pages a browser may call the API, as"
                                            + " https://shop.example; * for all",
                            empty = "none but our own",
                            by = "origin")
                    List<String> origins) {
        public Pages {
            origins = List.copyOf(origins);
        }

        static String origin(String text) {
            if (text.equals("*") || text.matches("https?://[^/?#\\s@]+")) {
                return text;
            }
            throw new IllegalArgumentException(
                    "'%s' is not a valid origin; write https://host or https://host:port, without a path, or *."
                            .formatted(text));
        }
    }

    public HttpSettings {
        hosts = List.copyOf(hosts);
        trustedProxies = List.copyOf(trustedProxies);
    }

    @Override
    public void check(Problems problems) {
        if (realIpHeader.isPresent() && trustedProxies.isEmpty()) {
            problems.note(
                    "real-ip-header",
                    "anybody can send this header, so it is believed only from certain addresses;"
                            + " name them in http.trusted-proxies.");
        }
    }

    /** With what it is encrypted; empty for an unencrypted server. */
    public Optional<TlsFiles> certificate() {
        return tls.cert().flatMap(file -> tls.key().map(key -> new TlsFiles(file, key)));
    }

    /** Whether nobody but this machine can reach the server. */
    public boolean isLoopback() {
        return isLoopback(host);
    }

    /** Whether only this machine can reach what listens there. */
    public static boolean isLoopback(String host) {
        if (host.equalsIgnoreCase("localhost")) {
            return true;
        }
        try {
            return InetAddress.ofLiteral(host).isLoopbackAddress();
        } catch (IllegalArgumentException e) {
            // Another name may lead anywhere, and tomorrow somewhere else.
            return false;
        }
    }

    static String headerName(String text) {
        if (text.matches("[A-Za-z0-9-]{1,64}")) {
            return text;
        }
        throw new IllegalArgumentException("'%s' is not a valid header name.".formatted(text));
    }
}
