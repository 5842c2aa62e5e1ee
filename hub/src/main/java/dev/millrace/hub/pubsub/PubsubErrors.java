package dev.millrace.hub.pubsub;

import dev.millrace.hub.access.Decision;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.ErrorShape;
import dev.millrace.hub.http.Handler;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Refusal;
import dev.millrace.hub.pubsub.channels.Linked;
import dev.millrace.hub.pubsub.channels.Refused;
import dev.millrace.hub.pubsub.channels.RefusedException;

import java.io.Serial;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Errors as clients of the pub/sub server read them: text where no route was found, nothing where
 * we failed, else JSON.
 */
public final class PubsubErrors implements ErrorShape {
    static final String NOT_SUBSCRIBED = "dsps.storage.subscription-not-found";
    private static final String AUTH_REJECTED = "dsps.auth.rejected";
    private static final String INVALID_CHANNEL = "dsps.storage.invalid-channel";
    private static final String MALFORMED_HANDLE = "dsps.storage.ack-handle-malformed";

    private static final int BAD_REQUEST = 400;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int FAILED = 500;

    private final String probes;

    /**
     * For paths with this prefix.
     *
     * @param pathPrefix of all paths of the room
     */
    public PubsubErrors(String pathPrefix) {
        this.probes = pathPrefix + "/probe/";
    }

    @Override
    public Answer of(Problem problem, String path, String requestId) {
        int status = problem.code().status();
        return switch (problem.code()) {
            case Code.NOT_FOUND ->
                    problem.isBare()
                            ? Answer.text(status, "404 page not found")
                            : plain(status, problem.detail());
            case Code.METHOD_NOT_ALLOWED -> Answer.text(status, "405 method not allowed");
            default -> {
                // Probes are asked by machines that know 200 and 500 only.
                if (status >= FAILED && path.startsWith(probes)) {
                    yield ProbeApi.failed();
                }
                yield status == FAILED ? Answer.empty(status) : plain(status, problem.detail());
            }
        };
    }

    // ---------------------------------------------------------------- reasons of the room

    static Answer answer(Refused why) {
        String text = why.sentence();
        return switch (why) {
            case Refused.Invalid invalid -> plain(BAD_REQUEST, text);
            case Refused.Missing missing -> plain(BAD_REQUEST, text);
            case Refused.NotPermitted channel ->
                    coded(BAD_REQUEST, INVALID_CHANNEL, text, Optional.of(channel.reason()));
            case Refused.Idle idle -> plain(NOT_FOUND, text);
            case Refused.NoSubscriber nobody ->
                    coded(NOT_FOUND, NOT_SUBSCRIBED, text, Optional.empty());
            case Refused.PlaceGone gone -> plain(410, text);
            case Refused.MalformedHandle malformed ->
                    coded(BAD_REQUEST, MALFORMED_HANDLE, text, Optional.empty());
            case Refused.NotJson notJson -> plain(BAD_REQUEST, text);
            case Refused.NotMessages notMessages -> plain(BAD_REQUEST, text);
            case Refused.TooLarge large -> plain(413, text);
            case Refused.TooFast fast -> plain(429, text).with("Retry-After", "1");
            case Refused.Unauthorized(Optional<String> reason) ->
                    coded(FORBIDDEN, AUTH_REJECTED, text, reason);
            case Refused.OnlyLooks looks -> coded(FORBIDDEN, AUTH_REJECTED, text, Optional.empty());
            case Refused.NotAdmin stranger -> plain(FORBIDDEN, text);
            // Whatever keeps the gate from deciding is told in the same way everywhere.
            case Refused.Undecided(Decision.Unavailable unavailable) ->
                    throw Problem.of(unavailable);
        };
    }

    private static Answer plain(int status, String text) {
        return json(status, Map.of("error", text));
    }

    private static Answer coded(int status, String code, String text, Optional<String> reason) {
        Map<String, String> body = new LinkedHashMap<>();
        body.put("code", code);
        body.put("error", text);
        reason.ifPresent(each -> body.put("reason", each));
        return json(status, body);
    }

    /** JSON as the reference writes it: with a line feed, and no charset in its type. */
    static Answer json(int status, Object value) {
        byte[] text = Json.MAPPER.writeValueAsBytes(value);
        byte[] line = new byte[text.length + 1];
        System.arraycopy(text, 0, line, 0, text.length);
        line[text.length] = '\n';
        return Answer.bytes(status, "application/json", line);
    }

    // ---------------------------------------------------------------- where they come from

    /** An answer that comes later, or the reason why not; who gives it up gives up its origin. */
    static CompletionStage<Answer> told(Supplier<CompletableFuture<Answer>> work) {
        try {
            CompletableFuture<Answer> answer = work.get();
            return Linked.of(answer, answer.exceptionally(PubsubErrors::told));
        } catch (RefusedException e) {
            return CompletableFuture.completedFuture(answer(e.why()));
        }
    }

    private static Answer told(Throwable thrown) {
        Throwable cause =
                thrown instanceof CompletionException && thrown.getCause() != null
                        ? thrown.getCause()
                        : thrown;
        if (cause instanceof RefusedException refused) {
            return answer(refused.why());
        }
        throw thrown instanceof RuntimeException known ? known : new CompletionException(thrown);
    }

    /** A stream that is answered with the reason instead. */
    static Handler.StreamWork toldStreaming(Handler.StreamWork work) {
        return (request, stream) -> {
            try {
                work.begin(request, stream);
            } catch (RefusedException e) {
                throw new Told(e.why());
            }
        };
    }

    /** A talk that ends with the reason. */
    static Handler.TalkWork toldTalking(Handler.TalkWork work) {
        return (request, talk) -> {
            try {
                work.begin(request, talk);
            } catch (RefusedException e) {
                throw new Told(e.why());
            }
        };
    }

    /** A reason as an answer that takes the place of a stream. */
    private static final class Told extends Refusal {
        @Serial private static final long serialVersionUID = 1L;

        Told(Refused why) {
            super(why.sentence(), PubsubErrors.answer(why));
        }
    }
}
