package dev.millrace.hub.pubsub.channels;

import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.http.Refusal;

import java.io.Serial;
import java.util.LinkedHashMap;
import java.util.Map;

/** What is wrong with a request, in the words that clients of the reference match on. */
public final class Refused extends Refusal {
    public static final String AUTH_REJECTED = "dsps.auth.rejected";
    static final String INVALID_CHANNEL = "dsps.storage.invalid-channel";
    public static final String NOT_SUBSCRIBED = "dsps.storage.subscription-not-found";
    static final String MALFORMED_HANDLE = "dsps.storage.ack-handle-malformed";

    /** The text of a wrong parameter, with its name. */
    private static final String INVALID = "Invalid \"%s\" parameter";

    public static final int BAD_REQUEST = 400;
    public static final int FORBIDDEN = 403;

    @Serial private static final long serialVersionUID = 1L;

    private Refused(int status, Map<String, String> body) {
        super(String.valueOf(body.get("error")), json(status, body));
    }

    private Refused(String sentence, Answer answer) {
        super(sentence, answer);
    }

    /** A parameter of this name that is not what it must be. */
    public static Refused invalid(String name) {
        return plain(BAD_REQUEST, INVALID.formatted(name));
    }

    public static Refused missing(String name) {
        return plain(BAD_REQUEST, "Missing \"%s\" parameter".formatted(name));
    }

    public static Refused plain(int status, String text) {
        return new Refused(status, Map.of("error", text));
    }

    public static Refused coded(int status, String code, String text) {
        Map<String, String> body = new LinkedHashMap<>();
        body.put("code", code);
        body.put("error", text);
        return new Refused(status, body);
    }

    public static Refused notPermitted(String channel) {
        return reasoned(
                BAD_REQUEST,
                INVALID_CHANNEL,
                INVALID.formatted("channelID"),
                "No entry of the channel configuration matches %s.".formatted(channel));
    }

    public static Refused noSubscriber() {
        return coded(404, NOT_SUBSCRIBED, "There is no such subscriber (any more); create it.");
    }

    /** More messages in a second than the channel takes. */
    public static Refused tooFast(int most) {
        String sentence = "This channel takes %d messages a second; try again.".formatted(most);
        return new Refused(sentence, plain(429, sentence).answer().with("Retry-After", "1"));
    }

    static Refused unauthorized() {
        return coded(FORBIDDEN, AUTH_REJECTED, "Unauthorized");
    }

    /** The same with the reason, which only some settings allow to be told. */
    static Refused unauthorized(String reason) {
        return reasoned(FORBIDDEN, AUTH_REJECTED, "Unauthorized", reason);
    }

    private static Refused reasoned(int status, String code, String text, String reason) {
        Map<String, String> body = new LinkedHashMap<>();
        body.put("code", code);
        body.put("error", text);
        body.put("reason", reason);
        return new Refused(status, body);
    }

    /** JSON as the reference writes it: with a line feed, and no charset in its type. */
    public static Answer json(int status, Object value) {
        byte[] text = Json.MAPPER.writeValueAsBytes(value);
        byte[] line = new byte[text.length + 1];
        System.arraycopy(text, 0, line, 0, text.length);
        line[text.length] = '\n';
        return Answer.bytes(status, "application/json", line);
    }
}
