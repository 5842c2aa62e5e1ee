package dev.millrace.hub.http.proxy;

import dev.millrace.hub.http.Header;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** What becomes of an answer of the application. */
public sealed interface Seen {
    /**
     * The client gets it as it comes.
     *
     * @param headers instead of those that came
     * @param after what has to be done before
     */
    record Relay(List<Header> headers, CompletionStage<?> after) implements Seen {
        public Relay {
            headers = List.copyOf(headers);
        }

        public static Relay of(List<Header> headers) {
            return new Relay(headers, CompletableFuture.completedFuture(null));
        }
    }

    /**
     * It is kept besides, if it is not too large.
     *
     * @param most bytes; with more the client gets it as it comes
     * @param waiting whether the client gets what {@link Keeper#whole} says instead of what comes
     */
    record Keep(List<Header> headers, int most, boolean waiting, Keeper keeper) implements Seen {
        public Keep {
            headers = List.copyOf(headers);
        }
    }

    /** Nobody wants its body; the client gets something else. */
    record Instead(Turn turn) implements Seen {}

    /** Who keeps answers; one of both is called, once. */
    interface Keeper {
        Turn whole(byte[] body);

        /** It broke off, or was too large. */
        void lost(Loss why);
    }

    /** Why an answer could not be kept. */
    enum Loss {
        TOO_LARGE,
        BROKEN_OFF
    }
}
