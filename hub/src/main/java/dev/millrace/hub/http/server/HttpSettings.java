package dev.millrace.hub.http.server;

import dev.millrace.hub.settings.Bytes;
import dev.millrace.hub.settings.Key;
import dev.millrace.hub.settings.Keys;
import dev.millrace.hub.settings.Kind;
import dev.millrace.hub.settings.Network;
import dev.millrace.hub.settings.Values;

import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The settings of the HTTP server.
 *
 * @param port 0 for a free one
 * @param hosts further names under which it answers
 * @param tls empty for an unencrypted server
 * @param corsOrigins from which pages a browser may call us; {@code *} among them for all
 * @param maxBody the largest body, where a route has no limit of its own
 * @param maxHeader the largest head of a request, all its lines together
 * @param maxInFlight how many requests may be at work at once; what comes then is refused
 * @param requestTimeOut how long a request may be at work
 * @param bodyTimeOut within what time a whole body must have arrived
 * @param idleTimeOut within what time the complete head of the next request must have arrived
 * @param stopTimeOut how long a stop waits for requests in flight
 * @param trustedProxies whose word about the address of a client is believed
 * @param realIpHeader where they say it; empty for {@code X-Forwarded-For}
 */
public record HttpSettings(
        String host,
        int port,
        List<String> hosts,
        Optional<TlsFiles> tls,
        List<String> corsOrigins,
        Bytes maxBody,
        Bytes maxHeader,
        int maxConnections,
        int maxInFlight,
        Duration requestTimeOut,
        Duration bodyTimeOut,
        Duration idleTimeOut,
        Duration stopTimeOut,
        List<Network> trustedProxies,
        Optional<String> realIpHeader) {

    /** PEM files: a certificate with those that vouch for it, and its private key. */
    public record TlsFiles(Path certificate, Path key) {}

    private static final Kind<Duration> TIME_OUT = Kind.time(Duration.ofMillis(1));
    private static final Kind<Integer> COUNT = Kind.number(1, 1_000_000);

    /** Needed by {@code Settings}, which checks it together with the mode of access. */
    public static final Key<String> HOST =
            Key.of(
                    "http.host",
                    Kind.HOST,
                    "127.0.0.1",
                    "the address to listen on; 0.0.0.0 for all, which needs access.mode token");

    private static final Key<Integer> PORT =
            Key.of("http.port", Kind.PORT, "8080", "the port to listen on; 0 takes a free one");

    private static final Key<List<String>> HOSTS =
            Key.none(
                    "http.hosts",
                    Kind.list(Kind.HOST),
                    "those of loopback on a loopback address where somebody needs no token,"
                            + " else any",
                    "a list: further names under which clients may call the hub, as hub.example;"
                            + " pages of other names are kept out");

    private static final Key<Optional<Path>> TLS_CERT =
            Key.optional(
                    "http.tls.cert",
                    Kind.PATH,
                    "not encrypted",
                    "a PEM file: the certificate of this server, and those that vouch for it");

    private static final Key<Optional<Path>> TLS_KEY =
            Key.optional("http.tls.key", Kind.PATH, "none", "a PEM file: the private key to it");

    private static final Key<List<String>> CORS_ORIGINS =
            Key.none(
                    "http.cors.origins",
                    Kind.list(Kind.one(HttpSettings::origin)),
                    "none but our own",
                    "a list: from which pages a browser may call the API, as https://shop.example;"
                            + " * for all");

    private static final Key<Bytes> MAX_BODY =
            Key.of(
                    "http.max-body",
                    Kind.size(new Bytes(1), Bytes.of("1GiB")),
                    "1MiB",
                    "the largest body of a request, where a route has no limit of its own");

    private static final Key<Bytes> MAX_HEADER =
            Key.of(
                    "http.max-header",
                    Kind.size(Bytes.of("1KiB"), Bytes.of("1MiB")),
                    "16KiB",
                    "the largest head of a request, all its lines together");

    private static final Key<Integer> MAX_CONNECTIONS =
            Key.of("http.max-connections", COUNT, "20000", "how many clients may be connected");

    private static final Key<Integer> MAX_IN_FLIGHT =
            Key.of(
                    "http.max-in-flight",
                    COUNT,
                    "2048",
                    "how many requests may be at work at once; more are told to come again");

    private static final Key<Duration> REQUEST_TIME_OUT =
            Key.of("http.request-time-out", TIME_OUT, "30s", "how long a request may be at work");

    private static final Key<Duration> BODY_TIME_OUT =
            Key.of(
                    "http.body-time-out",
                    TIME_OUT,
                    "30s",
                    "within what time the whole body of a request must have arrived");

    private static final Key<Duration> IDLE_TIME_OUT =
            Key.of(
                    "http.idle-time-out",
                    TIME_OUT,
                    "60s",
                    "within what time the complete head of the next request must have arrived");

    private static final Key<Duration> STOP_TIME_OUT =
            Key.of(
                    "http.stop-time-out",
                    TIME_OUT,
                    "10s",
                    "how long a stop waits for the requests that are at work");

    private static final Key<List<Network>> TRUSTED_PROXIES =
            Key.none(
                    "http.trusted-proxies",
                    Kind.list(Kind.NETWORK),
                    "none",
                    "a list: the addresses of proxies before us, as 10.0.0.0/8, whose word about"
                            + " the address of a client is believed");

    private static final Key<Optional<String>> REAL_IP_HEADER =
            Key.optional(
                    "http.real-ip-header",
                    Kind.one(HttpSettings::headerName),
                    "X-Forwarded-For",
                    "the header in which those proxies say it");

    public static final Keys.Group KEYS =
            new Keys.Group(
                    "The HTTP server: where it listens, and how much it takes",
                    List.of(
                            HOST,
                            PORT,
                            HOSTS,
                            TLS_CERT,
                            TLS_KEY,
                            CORS_ORIGINS,
                            MAX_BODY,
                            MAX_HEADER,
                            MAX_CONNECTIONS,
                            MAX_IN_FLIGHT,
                            REQUEST_TIME_OUT,
                            BODY_TIME_OUT,
                            IDLE_TIME_OUT,
                            STOP_TIME_OUT,
                            TRUSTED_PROXIES,
                            REAL_IP_HEADER));

    public HttpSettings {
        hosts = List.copyOf(hosts);
        corsOrigins = List.copyOf(corsOrigins);
        trustedProxies = List.copyOf(trustedProxies);
    }

    public static HttpSettings read(Values values) {
        List<Network> proxies = values.get(TRUSTED_PROXIES);
        Optional<String> header = values.get(REAL_IP_HEADER);
        if (header.isPresent() && proxies.isEmpty()) {
            values.problem(
                    REAL_IP_HEADER,
                    "anybody can send this header, so it is believed only from certain addresses;"
                            + " name them in http.trusted-proxies.");
        }
        return new HttpSettings(
                values.get(HOST),
                values.get(PORT),
                values.get(HOSTS),
                tls(values),
                values.get(CORS_ORIGINS),
                values.get(MAX_BODY),
                values.get(MAX_HEADER),
                values.get(MAX_CONNECTIONS),
                values.get(MAX_IN_FLIGHT),
                values.get(REQUEST_TIME_OUT),
                values.get(BODY_TIME_OUT),
                values.get(IDLE_TIME_OUT),
                values.get(STOP_TIME_OUT),
                proxies,
                header);
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

    private static Optional<TlsFiles> tls(Values values) {
        Optional<Path> certificate = values.get(TLS_CERT);
        Optional<Path> key = values.get(TLS_KEY);
        certificate.ifPresent(file -> mustBeReadable(values, TLS_CERT, file));
        key.ifPresent(file -> mustBeReadable(values, TLS_KEY, file));
        if (certificate.isPresent() && key.isEmpty()) {
            values.problem(
                    TLS_CERT, "a certificate needs its private key; name it in http.tls.key.");
        } else if (key.isPresent() && certificate.isEmpty()) {
            values.problem(TLS_KEY, "a key needs its certificate; name it in http.tls.cert.");
        }
        return certificate.flatMap(file -> key.map(other -> new TlsFiles(file, other)));
    }

    private static void mustBeReadable(Values values, Key<?> key, Path file) {
        if (!Files.exists(file)) {
            values.problem(key, "'%s' does not exist.".formatted(file));
        } else if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            values.problem(
                    key,
                    "'%s' is no file that can be read; look at its owner and mode."
                            .formatted(file));
        }
    }

    private static String origin(String text) {
        if (text.equals("*") || text.matches("https?://[^/?#\\s@]+")) {
            return text;
        }
        throw new IllegalArgumentException(
                "'%s' is no origin; write https://host or https://host:port, without a path, or *."
                        .formatted(text));
    }

    private static String headerName(String text) {
        if (text.matches("[A-Za-z0-9-]{1,64}")) {
            return text;
        }
        throw new IllegalArgumentException("'%s' is no name of a header.".formatted(text));
    }
}
