package dev.millrace.hub.pubsub;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.millrace.hub.http.Stream;
import dev.millrace.hub.pubsub.channels.Envelope;
import dev.millrace.hub.pubsub.channels.PushLine;

import java.io.ByteArrayOutputStream;

/**
 * Messages as server-sent events. The id of each is its handle, so a browser that comes back says
 * by itself up to where everything has arrived.
 */
final class SseLine implements PushLine {
    private static final byte[] BEAT = ":\n\n".getBytes(US_ASCII);
    private static final byte[] GONE =
            "event: gone\ndata: {\"code\":\"dsps.storage.subscription-not-found\"}\n\n"
                    .getBytes(US_ASCII);

    private final Stream stream;

    SseLine(Stream stream) {
        this.stream = stream;
    }

    @Override
    public void send(Envelope message, String handle) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(256);
        PubsubApi.text(out, "id: ");
        PubsubApi.text(out, handle);
        PubsubApi.text(out, "\ndata: ");
        ByteArrayOutputStream text = new ByteArrayOutputStream(256);
        message.write(text);
        byte[] data = text.toByteArray();
        for (int i = 0; i < data.length; i++) {
            // Only white space between values: inside strings JSON has no such bytes.
            if (data[i] == '\n' || data[i] == '\r') {
                data[i] = ' ';
            }
        }
        out.writeBytes(data);
        PubsubApi.text(out, "\n\n");
        stream.write(out.toByteArray());
    }

    @Override
    public void beat() {
        stream.write(BEAT);
    }

    @Override
    public boolean full() {
        return stream.full();
    }

    @Override
    public void whenDrained(Runnable action) {
        stream.loop()
                .execute(
                        () -> {
                            if (stream.full()) {
                                stream.whenDrained(action);
                            } else {
                                action.run();
                            }
                        });
    }

    @Override
    public void noSubscriber() {
        stream.write(GONE);
        stream.end();
    }

    @Override
    public void bye() {
        stream.end();
    }
}
