package dev.millrace.hub.telemetry.realtime;

import dev.millrace.hub.access.Actor;
import dev.millrace.hub.access.Caller;
import dev.millrace.hub.access.Decision;
import dev.millrace.hub.access.Door;
import dev.millrace.hub.ems.RefusedException;
import dev.millrace.hub.http.Talk;
import dev.millrace.hub.live.Pass;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * What a client says, one message after the other. On its event loop, except where Redis has to be
 * asked; meanwhile the next messages wait, and if they are many, the client does.
 */
final class Conversation {
    private static final Logger log = LoggerFactory.getLogger(Conversation.class);
    private static final int MOST_WAITING = 16;
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    /** Somebody who sends so many times what is allowed means no good. */
    private static final int FAR_TOO_MANY = 10;

    private static final String ANONYMOUS = "anonymous";

    private final Realtime realtime;
    private final RealtimeClient client;
    private final Talk talk;
    private final Pass first;
    private final Subscribing subscribing;
    private final Queue<String> waiting = new ArrayDeque<>();
    private boolean busy;
    private long minute = System.nanoTime();
    private int inMinute;

    private Conversation(Realtime realtime, RealtimeClient client, Talk talk, Pass first) {
        this.realtime = realtime;
        this.client = client;
        this.talk = talk;
        this.first = first;
        this.subscribing = new Subscribing(realtime, client);
    }

    /**
     * Begins, on the event loop.
     *
     * @param decision about what it came with; empty if it has to say who it is first
     * @param greets whether it is told its number
     */
    static void begin(
            Realtime realtime, Talk talk, Pass pass, Optional<Decision> decision, boolean greets) {
        Crowd crowd = realtime.crowd(talk.loop());
        RealtimeClient client = new RealtimeClient(realtime, crowd, talk, realtime.nextClient());
        Conversation conversation = new Conversation(realtime, client, talk, pass);
        talk.whileThere(
                () -> client.attempt(() -> conversation.open(decision, greets)), client::closed);
    }

    private void open(Optional<Decision> decision, boolean greets) {
        client.crowd().add(client);
        talk.whenStopping(() -> client.close(Closing.STOPPING, "The hub is stopping."));
        talk.whenPonged(client::heard);
        talk.whenHeard(
                Talk.LARGEST_FRAME,
                text -> client.attempt(() -> heard(text)),
                () ->
                        client.attempt(
                                () ->
                                        client.close(
                                                Closing.TOO_LARGE,
                                                "A message has at most 1 MiB.")));
        decision.ifPresent(known -> decided(known, first));
        if (greets && !client.over()) {
            client.tell("connection_established", Map.of("client_id", client.id()));
        }
    }

    // ------------------------------------------------------------------ who it is

    /** What its token came to; whoever may do nothing here is sent away. */
    private void decided(Decision decision, Pass pass) {
        switch (decision) {
            case Decision.Admitted(var caller) -> client.letIn(pass);
            case Decision.Unknown(String why) ->
                    sendAway("AUTH_FAILED", Closing.NOT_SIGNED_IN, why);
            case Decision.Forbidden(String why) ->
                    sendAway("PERMISSION_DENIED", Closing.NOT_ALLOWED, why);
            case Decision.SlowDown slow -> sendAway("RATE_LIMIT", Closing.TOO_MUCH, slow.why());
            case Decision.Unavailable(String why) ->
                    sendAway("STORE_UNAVAILABLE", Closing.TRY_LATER, why);
        }
    }

    private void sendAway(String code, Closing closing, String why) {
        client.refuse(code, why, null);
        client.close(closing, why);
    }

    private void auth(Said.Auth said) {
        Pass pass = new Pass(realtime.gate(), token(said.token()), first.peer());
        elsewhere(
                said.id(),
                () -> {
                    Decision decision = realtime.admit(pass);
                    return () -> {
                        Map<String, Object> answer = new LinkedHashMap<>();
                        answer.put("request_id", said.id());
                        answer.put("success", decision instanceof Decision.Admitted);
                        answer.put("user_id", user(decision));
                        client.tell("auth_response", answer);
                        decided(decision, pass);
                    };
                });
    }

    private @Nullable String user(Decision decision) {
        if (!(decision instanceof Decision.Admitted(var caller))) {
            return null;
        }
        return realtime.gate().looksAtTokens() ? caller.name() : ANONYMOUS;
    }

    /** The token of {@code Bearer …}, or of itself; none if it says nothing. */
    static Optional<String> token(String said) {
        String bare = said.strip();
        String scheme = "bearer ";
        if (bare.toLowerCase(Locale.ROOT).startsWith(scheme)) {
            bare = bare.substring(scheme.length()).strip();
        }
        return bare.isEmpty() ? Optional.empty() : Optional.of(bare);
    }

    // ------------------------------------------------------------------ messages

    private void heard(String text) {
        client.heard();
        if (tooMany()) {
            return;
        }
        waiting.add(text);
        if (waiting.size() >= MOST_WAITING) {
            talk.pause();
        }
        next();
    }

    private boolean tooMany() {
        long now = System.nanoTime();
        if (now - minute > MINUTE) {
            minute = now;
            inMinute = 0;
        }
        inMinute++;
        int most = realtime.settings().messagesPerMinute();
        if (inMinute <= most) {
            return false;
        }
        if (inMinute > (long) most * FAR_TOO_MANY) {
            client.close(Closing.TOO_MUCH, "Too many messages.");
        } else {
            client.refuse(
                    "RATE_LIMIT",
                    "At most %d messages in a minute; this one was not read.".formatted(most),
                    null);
        }
        return true;
    }

    private void next() {
        while (!busy && !client.over()) {
            String text = waiting.poll();
            if (text == null) {
                return;
            }
            if (waiting.size() == MOST_WAITING - 1) {
                talk.resume();
            }
            follow(Said.read(text));
        }
    }

    private void follow(Said said) {
        boolean open =
                said instanceof Said.Auth
                        || said instanceof Said.Ping
                        || said instanceof Said.Mistake;
        Pass pass = client.pass();
        if (pass == null && !open) {
            client.refuse("AUTH_FAILED", "Send auth with a token first.", said.id());
            return;
        }
        Subscribing.Mine mine = subscribing.mine();
        switch (said) {
            case Said.Mistake(String id, String code, String sentence) ->
                    client.refuse(code, sentence, id);
            case Said.Auth auth -> auth(auth);
            case Said.Ping ping -> pong(ping);
            case Said.Unsubscribe unsubscribe -> subscribing.unsubscribe(unsubscribe);
            case Said.SubscribePoints subscribe ->
                    through(
                            pass,
                            Realtime.POINTS_DOOR,
                            subscribe,
                            () -> subscribing.points(subscribe, mine));
            case Said.SubscribeGroup subscribe ->
                    through(
                            pass,
                            Realtime.POINTS_DOOR,
                            subscribe,
                            () -> subscribing.group(subscribe, mine));
            case Said.SubscribeLog subscribe ->
                    realtime.tail(subscribe.source())
                            .ifPresentOrElse(
                                    tail ->
                                            through(
                                                    pass,
                                                    tail.source().door(),
                                                    subscribe,
                                                    () -> subscribing.log(subscribe, tail, mine)),
                                    () -> noSource(subscribe));
            case Said.Control control -> control(pass, control);
            case Said.GetData get ->
                    through(pass, Realtime.POINTS_DOOR, get, () -> subscribing.data(get));
            case Said.GetHistory get -> history(pass, get);
        }
    }

    private void control(@Nullable Pass pass, Said.Control said) {
        through(
                pass,
                Controlling.DOOR,
                said,
                caller ->
                        realtime.controlling()
                                .order(
                                        said,
                                        client,
                                        new Actor(caller.name(), first.peer().getHostAddress())));
    }

    private void history(@Nullable Pass pass, Said.GetHistory said) {
        Bygones bygones = realtime.bygones();
        through(
                pass,
                bygones.door(),
                said,
                () -> {
                    try {
                        String data = bygones.answer(said.question());
                        String text = realtime.wording().history(data, said.id());
                        return () -> client.tellIfRoom(text, said.id());
                    } catch (RefusedException e) {
                        return () ->
                                client.refuse(e.why().code().name(), e.why().message(), said.id());
                    }
                });
    }

    private void noSource(Said.SubscribeLog said) {
        client.refuse(
                "INVALID_PARAMETER",
                "There is no source '%s'. There are: comsrv, %s."
                        .formatted(said.source(), String.join(", ", realtime.sources())),
                said.id());
    }

    private void pong(Said.Ping ping) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("request_id", ping.id());
        data.put("server_time", realtime.wording().now());
        data.put(
                "latency",
                ping.sentAt()
                        .map(sent -> Math.max(0, realtime.clock().millis() - sent))
                        .orElse(null));
        client.tell("pong", data);
    }

    // ------------------------------------------------------------------ what takes a while

    /** Work that may wait for Redis; gives what is then done on the event loop. */
    interface Work {
        Runnable done();
    }

    private void through(@Nullable Pass pass, Door door, Said said, Work work) {
        through(pass, door, said, caller -> work.done());
    }

    private void through(
            @Nullable Pass pass, Door door, Said said, Function<Caller, Runnable> work) {
        elsewhere(
                said.id(),
                () -> {
                    Decision decision = pass == null ? new Decision.Unknown("") : pass.admit(door);
                    return switch (decision) {
                        case Decision.Admitted(Caller caller) -> work.apply(caller);
                        case Decision.Forbidden(String why) ->
                                () -> client.refuse("PERMISSION_DENIED", why, said.id());
                        case Decision.Unknown(String why) ->
                                () -> client.refuse("AUTH_FAILED", why, said.id());
                        case Decision.SlowDown slow ->
                                () -> client.refuse("RATE_LIMIT", slow.why(), said.id());
                        case Decision.Unavailable(String why) ->
                                () -> client.refuse("STORE_UNAVAILABLE", why, said.id());
                    };
                });
    }

    private void elsewhere(@Nullable String requestId, Work work) {
        busy = true;
        Thread.ofVirtual()
                .name("realtime-work")
                .start(
                        () -> {
                            Runnable then = tried(requestId, work);
                            client.crowd().put(() -> client.attempt(() -> goOn(then)));
                        });
    }

    private Runnable tried(@Nullable String requestId, Work work) {
        try {
            return work.done();
        } catch (RedisException e) {
            String why = String.valueOf(e.getMessage());
            return () -> client.refuse("STORE_UNAVAILABLE", why, requestId);
        } catch (RuntimeException e) {
            log.error("A message of a client could not be followed.", e);
            return () -> client.refuse("INTERNAL_ERROR", "The hub made a mistake.", requestId);
        }
    }

    private void goOn(Runnable then) {
        busy = false;
        if (!client.over()) {
            then.run();
        }
        next();
    }
}
