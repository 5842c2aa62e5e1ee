package dev.millrace.hub.http;

import dev.millrace.hub.access.Caller;
import dev.millrace.hub.access.Door;
import dev.millrace.hub.access.Role;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * One line of the table of routes: what is asked, who may ask, what happens, and what the
 * documentation says. Reads from left to right:
 *
 * <pre>{@code
 * Route.get("/ops/tokens/{id}").needs(Role.ADMIN, "ops").about("One token, without its secret.")
 *     .gives(TokenView.class).by(this::token)
 * }</pre>
 *
 * A variable {@code {id}} is one segment that is not empty; {@code {id:any}} may be empty, {@code
 * {limit:digits}} takes only digits, {@code {item:slashed}} takes slashes too. Fixed segments count
 * before variables.
 *
 * @param maxBody bytes; 0 for the default of the server
 * @param parked a long poll: exempt from the limits of time and of number
 * @param whileStopping whether it answers also while the hub stops, as long as there are
 *     connections
 */
public record Route(
        Method method,
        String path,
        Guard guard,
        Handler handler,
        Documentation documentation,
        long maxBody,
        boolean parked,
        boolean whileStopping) {

    public static Draft get(String path) {
        return new Draft(Method.GET, path);
    }

    public static Draft post(String path) {
        return new Draft(Method.POST, path);
    }

    public static Draft put(String path) {
        return new Draft(Method.PUT, path);
    }

    public static Draft patch(String path) {
        return new Draft(Method.PATCH, path);
    }

    public static Draft delete(String path) {
        return new Draft(Method.DELETE, path);
    }

    public boolean stays() {
        return parked || handler.stays();
    }

    /** As it appears in figures and in the log: {@code GET /ops/tokens/{id}}. */
    public String name() {
        return method + " " + path;
    }

    /** A route that is being written; each {@code by} finishes it. */
    public static final class Draft {
        private final Method method;
        private final String path;
        private @Nullable Guard guard;
        private String about = "";
        private @Nullable Class<?> takes;
        private @Nullable Class<?> gives;
        private String type = "application/json";
        private final List<Documentation.Parameter> parameters = new ArrayList<>();
        private long maxBody;
        private boolean parked;
        private boolean whileStopping;

        private Draft(Method method, String path) {
            this.method = method;
            this.path = path;
        }

        /** Only callers with this role, whose scopes cover the room. */
        public Draft needs(Role role, String room) {
            guard = new Guard.Needs(Door.of(role, room));
            return this;
        }

        /** The same, where the handler looks at the namespace: {@link Caller#mayUse}. */
        public Draft needsInNamespace(Role role, String room) {
            guard = new Guard.Needs(Door.partOf(role, room));
            return this;
        }

        /** Everybody may, in every mode. */
        public Draft forAnyone() {
            guard = new Guard.Anyone();
            return this;
        }

        /** The handler looks by itself; {@code how} says what it looks at. */
        public Draft withOwnCheck(String how) {
            guard = new Guard.OwnCheck(how);
            return this;
        }

        public Draft about(String sentence) {
            about = sentence;
            return this;
        }

        /** The JSON of the body, for the documentation. */
        public Draft takes(Class<?> body) {
            takes = body;
            return this;
        }

        /** The JSON of the answer, for the documentation. */
        public Draft gives(Class<?> answer) {
            gives = answer;
            return this;
        }

        /** An answer that is not JSON. */
        public Draft givesType(String contentType) {
            type = contentType;
            return this;
        }

        public Draft parameter(String name, String sentence) {
            parameters.add(new Documentation.Parameter(name, sentence));
            return this;
        }

        public Draft maxBody(long bytes) {
            maxBody = bytes;
            return this;
        }

        /** May wait for something to happen, for as long as it likes. */
        public Draft parked() {
            parked = true;
            return this;
        }

        /** Answers also while the hub stops; all others say that it does. */
        public Draft alsoWhileStopping() {
            whileStopping = true;
            return this;
        }

        public Route by(Handler.Work work) {
            return finished(new Handler.Blocking(work));
        }

        public Route promptlyBy(Handler.PromptWork work) {
            return finished(new Handler.Prompt(work));
        }

        public Route receivingBy(Handler.ReceiveWork work) {
            return finished(new Handler.Receiving(work));
        }

        public Route streamingBy(Handler.StreamWork work) {
            return finished(new Handler.Streaming(work));
        }

        public Route talkingBy(Handler.TalkWork work) {
            return finished(new Handler.Talking(work));
        }

        private Route finished(Handler handler) {
            if (guard == null || about.isEmpty()) {
                throw new IllegalStateException(
                        "%s %s does not say who may ask, or what it is about."
                                .formatted(method, path));
            }
            return new Route(
                    method,
                    path,
                    guard,
                    handler,
                    new Documentation(about, parameters, takes, gives, type),
                    maxBody,
                    parked,
                    whileStopping);
        }
    }

    /**
     * What {@code /openapi.json} says about it.
     *
     * @param takes the record of the body, if it takes one
     * @param gives the record of the answer, if it is JSON of a known shape
     */
    public record Documentation(
            String about,
            List<Parameter> parameters,
            @Nullable Class<?> takes,
            @Nullable Class<?> gives,
            String type) {

        public Documentation {
            parameters = List.copyOf(parameters);
        }

        /** A parameter of the query. */
        public record Parameter(String name, String about) {}
    }
}
