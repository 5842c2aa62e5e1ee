package dev.millrace.hub.outside;

import dev.millrace.hub.settings.Network;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a call may take at most, and how it is made.
 *
 * @param version of HTTP to begin with
 * @param time for all of a call: connecting, redirects, and the answer to its last byte
 * @param connectTime for connecting alone; empty for no limit of its own
 * @param redirects how many are followed. With none, an answer that redirects is an answer like any
 *     other
 * @param answer how much of the body of an answer is wanted
 * @param denied networks that nothing is sent to
 */
public record Limits(
        HttpClient.Version version,
        Duration time,
        Optional<Duration> connectTime,
        Redirects redirects,
        Body answer,
        List<Network> denied) {

    /** Whether and how often an answer that sends us elsewhere is followed. */
    public sealed interface Redirects {
        /** It is for the caller to know what to do with it. */
        record AreAnswers() implements Redirects {}

        /** So often; one more is a failure. */
        record Followed(int most) implements Redirects {}
    }

    /** What becomes of the body of an answer. */
    public sealed interface Body {
        /** It is wanted; a larger one is a failure. */
        record Wanted(int largest) implements Body {}

        /**
         * Nobody wants it. It is read to its end all the same, so that the connection can be used
         * again; of one that is longer than this, the rest is left, and the connection with it.
         */
        record Unwanted(long longest) implements Body {}
    }

    /** In HTTP/1.1, with redirects as answers whose body nobody reads. */
    public static Limits within(Duration time) {
        return new Limits(
                HttpClient.Version.HTTP_1_1,
                time,
                Optional.empty(),
                new Redirects.AreAnswers(),
                new Body.Unwanted(0),
                List.of());
    }

    public Limits beginningWith(HttpClient.Version other) {
        return new Limits(other, time, connectTime, redirects, answer, denied);
    }

    public Limits connectingWithin(Duration most) {
        return new Limits(version, time, Optional.of(most), redirects, answer, denied);
    }

    public Limits following(int most) {
        return new Limits(version, time, connectTime, new Redirects.Followed(most), answer, denied);
    }

    public Limits reading(Body wanted) {
        return new Limits(version, time, connectTime, redirects, wanted, denied);
    }

    public Limits outOf(List<Network> networks) {
        return new Limits(version, time, connectTime, redirects, answer, networks);
    }
}
