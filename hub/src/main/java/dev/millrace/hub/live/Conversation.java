package dev.millrace.hub.live;

import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Talk;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;

/**
 * What a client says on its WebSocket, one message after the other. On the event loop, except where
 * Redis has to be asked.
 */
final class Conversation {
    /** Said, but not yet looked at. Nobody honest comes near it. */
    private static final int MOST_WAITING = 16;

    private static final String HOW =
            "Say {\"subscribe\":[\"feed\"],\"after\":\"cursor\"}, {\"unsubscribe\":[\"feed\"]} or"
                    + " {\"token\":\"mr_…\"}.";

    private final Live live;
    private final TalkClient client;
    private final Queue<String> waiting = new ArrayDeque<>();
    private boolean busy;

    /** One message. */
    private record Message(
            @Nullable List<String> subscribe,
            @Nullable String after,
            @Nullable List<String> unsubscribe,
            @Nullable String token) {}

    private Conversation(Live live, TalkClient client) {
        this.live = live;
        this.client = client;
    }

    static void begin(Live live, Talk talk, Pass pass) {
        Crowd crowd = live.crowd(talk.loop());
        TalkClient client = new TalkClient(crowd, talk, pass);
        Conversation conversation = new Conversation(live, client);
        talk.whileThere(
                () ->
                        client.attempt(
                                () -> {
                                    crowd.add(client);
                                    talk.whenHeard(
                                            text -> client.attempt(() -> conversation.heard(text)));
                                    talk.whenStopping(() -> client.end(Client.Ending.STOPPING));
                                }),
                client::closed);
    }

    private void heard(String text) {
        if (waiting.size() >= MOST_WAITING) {
            client.refuse("Too many messages at once; wait for ready before the next.");
            return;
        }
        waiting.add(text);
        next();
    }

    private void next() {
        if (busy || client.over()) {
            return;
        }
        String text = waiting.poll();
        if (text == null) {
            return;
        }
        try {
            follow(Json.MAPPER.readValue(text, Message.class));
        } catch (JacksonException e) {
            client.refuse("This is not understood. " + HOW);
        } catch (Problem problem) {
            client.refuse(problem.detail());
        }
    }

    private void follow(@Nullable Message message) {
        if (message == null
                || (message.subscribe == null
                        && message.unsubscribe == null
                        && message.token == null)) {
            throw Problem.of(Code.BAD_BODY, "This is not understood. " + HOW);
        }
        if (message.token != null) {
            Pass before = client.pass();
            client.present(new Pass(before.gate(), Optional.of(message.token), before.peer()));
        }
        if (message.unsubscribe != null) {
            unsubscribe(message.unsubscribe);
        }
        if (message.subscribe == null) {
            next();
        } else {
            subscribe(
                    message.subscribe,
                    message.after == null ? Map.of() : Mark.split(message.after));
        }
    }

    private void unsubscribe(List<String> names) {
        for (FeedFollower each : List.copyOf(client.subscriptions())) {
            if (names.contains(each.feed().name())) {
                client.subscriptions().remove(each);
                each.end();
            }
        }
    }

    private void subscribe(List<String> names, Map<String, String> after) {
        if (client.subscriptions().stream().anyMatch(old -> names.contains(old.feed().name()))
                || names.stream().distinct().count() < names.size()) {
            throw Problem.of(
                    Code.BAD_PARAMETER,
                    "One of these feeds is already subscribed; unsubscribe it first.");
        }
        if (client.subscriptions().size() + names.size() > Live.MOST_FEEDS) {
            throw Problem.of(
                    Code.BAD_PARAMETER,
                    "At most %d feeds on one connection.".formatted(Live.MOST_FEEDS));
        }
        busy = true;
        Pass pass = client.pass();
        Thread.ofVirtual().name("live-join").start(() -> join(names, pass, after));
    }

    private void join(List<String> names, Pass pass, Map<String, String> after) {
        Runnable then = tryToJoin(names, pass, after);
        client.loop().execute(() -> client.attempt(then));
    }

    private Runnable tryToJoin(List<String> names, Pass pass, Map<String, String> after) {
        try {
            List<Tail> tails = live.join(names, pass);
            return () -> joined(tails, after);
        } catch (Problem problem) {
            return () -> client.refuse(problem.detail());
        } catch (RuntimeException e) {
            return () -> client.refuse("The feed cannot be read now; try again.");
        }
    }

    private void joined(List<Tail> tails, Map<String, String> after) {
        busy = false;
        if (client.over()) {
            tails.forEach(Tail::leave);
            return;
        }
        List<FeedFollower> added =
                tails.stream()
                        .map(
                                tail ->
                                        new FeedFollower(
                                                client,
                                                tail,
                                                Optional.ofNullable(after.get(tail.feed().name()))))
                        .toList();
        client.subscriptions().addAll(added);
        added.forEach(FeedFollower::start);
        next();
    }
}
