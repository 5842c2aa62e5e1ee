package dev.millrace.hub.pubsub.webhooks;

import org.jspecify.annotations.Nullable;

import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/**
 * Reads an answer to its end and keeps nothing, so that its connection can be used again; one that
 * is too long is left, and its connection with it.
 */
final class Drain implements HttpResponse.BodySubscriber<Void> {
    private static final long MOST_BYTES = 1 << 20;

    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private Flow.@Nullable Subscription subscription;
    private long bytes;

    @Override
    public CompletionStage<Void> getBody() {
        return end;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        given.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            bytes += buffer.remaining();
        }
        Flow.Subscription coming = subscription;
        if (bytes > MOST_BYTES && coming != null) {
            coming.cancel();
            end.complete(null);
        }
    }

    @Override
    public void onError(Throwable failure) {
        end.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        end.complete(null);
    }
}
