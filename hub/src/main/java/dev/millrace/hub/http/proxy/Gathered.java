package dev.millrace.hub.http.proxy;

import io.vertx.core.buffer.Buffer;

import org.jspecify.annotations.Nullable;

/** What is kept of an answer while it goes to its client. On one event loop. */
final class Gathered {
    final Seen.Keep keep;
    final Taker.Head head;
    final Buffer bytes = Buffer.buffer();
    private final long length;

    /** Not passed on before all is kept: who has it all may ask again at once. */
    @Nullable Buffer last;

    Gathered(Seen.Keep keep, Taker.Head head) {
        this.keep = keep;
        this.head = head;
        this.length =
                head.headers().stream()
                        .filter(each -> each.name().equalsIgnoreCase("Content-Length"))
                        .map(each -> each.value().strip())
                        .filter(each -> each.matches("[0-9]{1,15}"))
                        .mapToLong(Long::parseLong)
                        .findFirst()
                        .orElse(-1);
    }

    /** Whether as much is here as was announced. */
    boolean complete() {
        return bytes.length() == length;
    }

    boolean hasRoomFor(Buffer piece) {
        return bytes.length() + piece.length() <= keep.most();
    }
}
