package dev.millrace.hub.pubsub;

import dev.millrace.hub.http.Answer;

import java.io.Serial;
import java.nio.charset.StandardCharsets;

final class Refused extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;
    private final transient Answer answer;

    private Refused(Answer answer) {
        super("refused", null, false, false);
        this.answer = answer;
    }

    static Refused invalid(String name) {
        return plain(400, "Invalid \\\"" + name + "\\\" parameter");
    }

    static Refused missing(String name) {
        return plain(400, "Missing \\\"" + name + "\\\" parameter");
    }

    static Refused plain(int status, String text) {
        return new Refused(
                Answer.bytes(
                        status,
                        "application/json",
                        ("{\"error\":\"" + text + "\"}\n").getBytes(StandardCharsets.UTF_8)));
    }

    static Refused coded(int status, String code, String text) {
        return new Refused(
                Answer.bytes(
                        status,
                        "application/json",
                        ("{\"code\":\"" + code + "\",\"error\":\"" + text + "\"}\n")
                                .getBytes(StandardCharsets.UTF_8)));
    }

    static Refused noSubscriber() {
        return coded(
                404,
                "dsps.storage.subscription-not-found",
                "There is no such subscriber (any more); create it.");
    }

    static Refused tooFast(int most) {
        return new Refused(
                plain(429, "This channel takes " + most + " messages a second; try again soon.")
                        .answer
                        .with("Retry-After", "1"));
    }

    Answer answer() {
        return answer;
    }
}
