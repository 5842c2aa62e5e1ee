package dev.millrace.hub.readings.metadata;

import dev.millrace.hub.outside.Call;
import dev.millrace.hub.outside.Ended;
import dev.millrace.hub.outside.Limits;
import dev.millrace.hub.outside.Line;
import dev.millrace.hub.outside.Outside;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.net.InetAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The metadata service of EdgeX, as far as we need it: which devices there are, what they can do,
 * and when they last reported. It belongs to somebody else, so it may be away, slow or wrong: every
 * question has an end, and every answer a size. Thread-safe.
 */
public final class Metadata implements AutoCloseable {
    private static final Duration CONNECT_TIME = Duration.ofSeconds(2);

    /** From the question to the last byte of the answer. */
    private static final Duration ANSWER_TIME = Duration.ofSeconds(5);

    private static final int LARGEST_ANSWER = 4 << 20;
    private static final int LONGEST_TEXT = 1000;
    private static final String DEVICE = "/api/v1/device/";
    private static final String SERVICE = "/api/v1/deviceservice/";

    private final Optional<URI> url;
    private final Duration patience;
    private final Line line;

    public Metadata(Outside outside, Optional<URI> url) {
        this(outside, url, ANSWER_TIME);
    }

    public Metadata(Outside outside, Optional<URI> url, Duration patience) {
        this.url = url;
        this.patience = patience;
        this.line =
                outside.line(
                        Limits.within(patience)
                                .beginningWith(HttpClient.Version.HTTP_2)
                                .connectingWithin(CONNECT_TIME)
                                .reading(new Limits.Body.Wanted(LARGEST_ANSWER)));
    }

    /** What it said, or why it did not. */
    public sealed interface Reply<T> {
        record Known<T>(T value) implements Reply<T> {}

        /** It does not know, or does not answer. */
        record Refused<T>(Why why) implements Reply<T> {}

        default <U> Reply<U> map(Function<T, U> change) {
            return switch (this) {
                case Known<T>(T value) -> new Known<>(change.apply(value));
                case Refused<T>(Why why) -> new Refused<>(why);
            };
        }
    }

    /** Why something is not known. */
    public sealed interface Why {
        String sentence();

        /** Nobody has said where the service is. */
        record NotSet(String sentence) implements Why {}

        /**
         * It has said something else than yes.
         *
         * @param status the one it answered with
         */
        record Said(int status, String sentence) implements Why {}

        /** It cannot be reached, or does not answer. */
        record Silent(String sentence) implements Why {}

        /** Whether it may know later: it is not well, or was not asked. */
        default boolean isPassing() {
            return switch (this) {
                case NotSet notSet -> true;
                case Said(int status, String sentence) -> status < 400 || status >= 500;
                case Silent silent -> true;
            };
        }
    }

    /** Whether it knows this device, by name or id. */
    public Reply<String> check(String device) {
        return send("GET", DEVICE + "check/" + segment(device)).map(body -> device);
    }

    /** The names of all values that a device takes or gives, from its profile. */
    public Reply<List<String>> deviceNamed(String name) {
        return send("GET", DEVICE + "name/" + segment(name)).map(Metadata::valueNames);
    }

    public Reply<List<String>> device(String id) {
        return send("GET", DEVICE + segment(id)).map(Metadata::valueNames);
    }

    /** The id of the service that a device belongs to; empty text if it has none. */
    public Reply<String> serviceOf(String device) {
        return send("GET", DEVICE + "name/" + segment(device))
                .map(body -> tree(body).at("/service/id").asString(""));
    }

    Reply<String> deviceReported(String device, long millis) {
        return reported(DEVICE + "name/" + segment(device), millis);
    }

    Reply<String> serviceReported(String id, long millis) {
        return reported(SERVICE + segment(id), millis);
    }

    private Reply<String> reported(String path, long millis) {
        Reply<byte[]> connected = send("PUT", path + "/lastconnected/" + millis);
        return switch (connected) {
            case Reply.Known<byte[]> known ->
                    send("PUT", path + "/lastreported/" + millis).map(body -> "");
            case Reply.Refused<byte[]> refused -> connected.map(body -> "");
        };
    }

    // ---------------------------------------------------------------- asking

    private Reply<byte[]> send(String method, String path) {
        if (url.isEmpty()) {
            return new Reply.Refused<>(
                    new Why.NotSet(
                            "This hub is not told which devices there are; set"
                                    + " readings.metadata.url to the address of a metadata"
                                    + " service."));
        }
        try {
            URI target = URI.create(url.get() + path);
            return switch (line.send(Call.of(method, target))) {
                case Ended.Answered(int status, byte[] body) -> read(status, body);
                case Ended.Misled(int status, String sentence) -> silent(sentence);
                case Ended.Late() ->
                        silent("it did not answer within " + patience.toMillis() + " ms");
                case Ended.Failed(Throwable why) -> silent(why.toString());
                case Ended.NobodyThere(String host) -> silent("there is no machine " + host);
                case Ended.Denied(InetAddress address) -> silent(address + " is out of bounds");
                case Ended.Impossible(String reason) -> silent(reason);
            };
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return silent("the hub is stopping");
        }
    }

    private static Reply<byte[]> read(int status, byte[] body) {
        if (status == 200 || status == 202) {
            return new Reply.Known<>(body);
        }
        String text = new String(body, StandardCharsets.UTF_8).strip();
        String sentence =
                "%d - %s"
                        .formatted(
                                status, text.substring(0, Math.min(text.length(), LONGEST_TEXT)));
        return new Reply.Refused<>(new Why.Said(status, sentence));
    }

    private Reply<byte[]> silent(String why) {
        return new Reply.Refused<>(
                new Why.Silent(
                        "The metadata service at %s cannot be asked: %s."
                                .formatted(url.map(URI::toString).orElse(""), why)));
    }

    private static String segment(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    // ---------------------------------------------------------------- profiles

    /** Parameters and expected values of all commands, each name once. */
    private static List<String> valueNames(byte[] device) {
        Set<String> names = new LinkedHashSet<>();
        for (JsonNode command : tree(device).at("/profile/coreCommands")) {
            collect(command.at("/put/parameterNames"), names);
            for (String verb : List.of("/put/responses", "/get/responses")) {
                for (JsonNode response : command.at(verb)) {
                    collect(response.at("/expectedValues"), names);
                }
            }
        }
        return new ArrayList<>(names);
    }

    private static void collect(JsonNode texts, Set<String> names) {
        texts.forEach(text -> names.add(text.asString("")));
    }

    private static JsonNode tree(byte[] body) {
        try {
            return JsonMapper.shared().readTree(body);
        } catch (JacksonException e) {
            return JsonMapper.shared().missingNode();
        }
    }

    @Override
    public void close() {
        line.close();
    }
}
