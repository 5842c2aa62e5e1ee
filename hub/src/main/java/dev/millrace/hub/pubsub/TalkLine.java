package dev.millrace.hub.pubsub;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.http.Talk;
import dev.millrace.hub.pubsub.channels.Envelope;
import dev.millrace.hub.pubsub.channels.PushLine;

import java.io.ByteArrayOutputStream;

/** Messages as frames of a WebSocket: {@code {"ackHandle":"…","messageID":"…","content":…}}. */
final class TalkLine implements PushLine {
    private final Talk talk;

    TalkLine(Talk talk) {
        this.talk = talk;
    }

    @Override
    public void send(Envelope message, String handle) {
        ByteArrayOutputStream text = new ByteArrayOutputStream(256);
        message.write(text);
        // The message is an object: the handle becomes its first member.
        talk.say("{\"ackHandle\":\"" + handle + "\"," + text.toString(UTF_8).substring(1));
    }

    @Override
    public void beat() {
        talk.ping();
    }

    @Override
    public boolean full() {
        return talk.full();
    }

    @Override
    public void whenDrained(Runnable action) {
        talk.loop()
                .execute(
                        () -> {
                            if (talk.full()) {
                                talk.whenDrained(action);
                            } else {
                                action.run();
                            }
                        });
    }

    @Override
    public void noSubscriber() {
        talk.close(Talk.Why.NOT_UNDERSTOOD, PubsubErrors.NOT_SUBSCRIBED);
    }

    @Override
    public void bye() {
        talk.close(Talk.Why.STOPPING, "The hub is stopping.");
    }
}
