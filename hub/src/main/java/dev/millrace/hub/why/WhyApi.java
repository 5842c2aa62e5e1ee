package dev.millrace.hub.why;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.ems.EmsAnswer;
import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.EmsRequest;
import dev.millrace.hub.ems.EmsRoutes;
import dev.millrace.hub.ems.IsoText;
import dev.millrace.hub.ems.Refused;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** {@code /api/why/{id}}. */
final class WhyApi {
    static final String ROOM = "why";
    private static final int LONGEST_ID = 512;

    private final Chains chains;

    WhyApi(Chains chains) {
        this.chains = chains;
    }

    void addTo(EmsRoutes routes) {
        routes.get(
                "/api/why/{id}",
                route ->
                        route.needs(Role.VIEWER, ROOM)
                                .about(
                                        "The chain of an alarm, execution, command, notification or"
                                                + " transmission: what led to it, and what came of"
                                                + " that.")
                                .parameter(
                                        "kind", "what the id is of, should it be one of several"),
                this::chain);
    }

    private EmsAnswer chain(EmsRequest request) {
        String id = request.variable("id");
        Optional<Chains.Chain> chain =
                id.length() > LONGEST_ID ? Optional.empty() : chains.of(id, kind(request));
        return EmsAnswer.ok(
                chain.map(WhyApi::view)
                        .orElseThrow(
                                () ->
                                        Refused.of(
                                                        EmsCode.NOT_FOUND,
                                                        "Nothing with this id is recorded: not an"
                                                                + " alarm, execution, command,"
                                                                + " notification or transmission.")
                                                .exception()));
    }

    private static Optional<Kind> kind(EmsRequest request) {
        return request.query("kind")
                .map(
                        word ->
                                Arrays.stream(Kind.values())
                                        .filter(each -> each.word().equals(word))
                                        .findFirst()
                                        .orElseThrow(
                                                () ->
                                                        Refused.of(
                                                                        EmsCode.INVALID_PARAMETER,
                                                                        "kind is one of alarm,"
                                                                            + " execution, command,"
                                                                            + " notification,"
                                                                            + " transmission.")
                                                                .exception()));
    }

    private static Map<String, Object> view(Chains.Chain chain) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("asked", ref(chain.asked()));
        Part first = chain.parts().getFirst();
        view.put("cause", first.kind().begins() ? first.id() : "");
        view.put("parts", chain.parts().stream().map(WhyApi::view).toList());
        view.put("truncated", !chain.whole());
        return view;
    }

    private static Map<String, Object> ref(Part.Ref ref) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("kind", ref.kind().word());
        view.put("id", ref.id());
        return view;
    }

    private static Map<String, @Nullable Object> view(Part part) {
        Map<String, @Nullable Object> view = new LinkedHashMap<>(ref(part.ref()));
        view.put("at", IsoText.of(part.at()));
        view.put("who", part.who());
        view.put("title", part.title());
        view.put("from", part.from().map(WhyApi::ref).orElse(null));
        view.put("kept", part.kept());
        view.put("details", part.details());
        return view;
    }
}
