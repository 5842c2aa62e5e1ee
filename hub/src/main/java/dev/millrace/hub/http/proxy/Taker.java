package dev.millrace.hub.http.proxy;

import dev.millrace.hub.http.Header;

import java.util.List;

/** Who takes what comes of asking the application. On an event loop: must not wait. */
public interface Taker {
    /**
     * The beginning of an answer, without the headers that concern its connection alone.
     *
     * @param asked when the request was sent, in milliseconds since 1970
     * @param began when the answer began
     */
    record Head(int status, List<Header> headers, long asked, long began) {
        public Head {
            headers = List.copyOf(headers);
        }
    }

    /** An answer begins. */
    Seen head(Head head);

    /** There is none. */
    Turn failed(Failure why);

    /**
     * Whether the answer is of no use to anybody once the client has gone, so that the application
     * need not go on with it.
     */
    default boolean forClientAlone() {
        return false;
    }
}
