package dev.millrace.hub.documents;

import dev.millrace.hub.documents.kept.Revision;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.ErrorShape;
import dev.millrace.hub.http.Handler;
import dev.millrace.hub.http.Problem;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Errors as clients of Brewblox read them: one member, {@code detail}. */
public final class BrewbloxErrors implements ErrorShape {

    @Override
    public Answer of(Problem problem, String path, String requestId) {
        return answer(problem.code().status(), detail(problem));
    }

    private static String detail(Problem problem) {
        return switch (problem.code()) {
            case Code.NOT_FOUND -> problem.isBare() ? "Not Found" : problem.detail();
            case Code.METHOD_NOT_ALLOWED -> "Method Not Allowed";
            default -> problem.detail();
        };
    }

    private static Answer answer(int status, Object detail) {
        return Answer.json(status, Map.of("detail", detail));
    }

    // ---------------------------------------------------------------- reasons of the room

    private static Answer of(Refused why) {
        return switch (why) {
            case Refused.Invalid(List<Mistakes.Mistake> mistakes) ->
                    answer(422, mistakes.stream().map(BrewbloxErrors::members).toList());
            case Refused.Unreadable unreadable -> answer(400, why.sentence());
            case Refused.BadCondition bad -> answer(400, why.sentence());
            case Refused.TooLarge large -> answer(413, why.sentence());
            case Refused.Forbidden forbidden -> answer(403, why.sentence());
            case Refused.Absent absent -> answer(404, why.sentence());
            case Refused.NotADocument other -> answer(409, why.sentence());
            case Refused.Overtaken(String sentence, Optional<Revision> now) -> {
                Answer answer = answer(412, sentence);
                yield now.map(each -> answer.with("ETag", each.tag())).orElse(answer);
            }
        };
    }

    private static Map<String, @Nullable Object> members(Mistakes.Mistake mistake) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("type", mistake.type());
        members.put("loc", mistake.place().steps());
        members.put("msg", mistake.message());
        members.put("input", mistake.input());
        if (!mistake.context().isEmpty()) {
            members.put("ctx", mistake.context());
        }
        return members;
    }

    /** A handler whose reasons are told to the client. */
    static Handler.Work told(Handler.Work work) {
        return request -> {
            try {
                return work.answer(request);
            } catch (RefusedException e) {
                return of(e.why());
            }
        };
    }

    /** The same for one that reads while the body arrives. */
    static Handler.ReceiveWork toldReceiving(Handler.ReceiveWork work) {
        return (request, body) -> {
            try {
                return work.answer(request, body);
            } catch (RefusedException e) {
                return of(e.why());
            }
        };
    }

    /** The same for one that answers later. */
    static Handler.PromptWork toldPromptly(Handler.PromptWork work) {
        return request -> {
            try {
                return work.answer(request).exceptionally(BrewbloxErrors::of);
            } catch (RefusedException e) {
                return CompletableFuture.completedFuture(of(e.why()));
            }
        };
    }

    private static Answer of(Throwable thrown) {
        Throwable cause =
                thrown instanceof CompletionException && thrown.getCause() != null
                        ? thrown.getCause()
                        : thrown;
        if (cause instanceof RefusedException refused) {
            return of(refused.why());
        }
        throw thrown instanceof RuntimeException known ? known : new CompletionException(thrown);
    }
}
