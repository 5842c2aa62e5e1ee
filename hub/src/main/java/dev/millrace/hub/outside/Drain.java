package dev.millrace.hub.outside;

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
final class Drain implements HttpResponse.BodySubscriber<byte[]> {
    private static final byte[] NOTHING = {};

    private final long longest;
    private final CompletableFuture<byte[]> end = new CompletableFuture<>();
    private Flow.@Nullable Subscription subscription;
    private long bytes;

    Drain(long longest) {
        this.longest = longest;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return end;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        if (longest == 0) {
            given.cancel();
            end.complete(NOTHING);
        } else {
            given.request(Long.MAX_VALUE);
        }
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            bytes += buffer.remaining();
        }
        Flow.Subscription coming = subscription;
        if (bytes > longest && coming != null) {
            coming.cancel();
            end.complete(NOTHING);
        }
    }

    @Override
    public void onError(Throwable failure) {
        end.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        end.complete(NOTHING);
    }
}
