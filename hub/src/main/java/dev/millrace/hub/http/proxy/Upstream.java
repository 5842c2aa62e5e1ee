package dev.millrace.hub.http.proxy;

import io.vertx.core.http.RequestOptions;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One application, and how it is doing. After a few failures in a row it gets a rest; then one
 * request finds out whether it is back, while the others are told at once that it is not.
 * Thread-safe.
 */
final class Upstream {
    private static final Logger log = LoggerFactory.getLogger(Upstream.class);
    private static final int FAILURES = 3;
    private static final long REST_NANOS = Duration.ofSeconds(1).toNanos();

    final String name;
    private final String host;
    private final int port;
    private final boolean encrypted;
    final String prefix;
    private final AtomicInteger failures = new AtomicInteger();

    /** When it may be tried again; only looked at after failures. */
    private final AtomicLong again = new AtomicLong(System.nanoTime());

    /** What a look at its health has said; true where nobody looks. */
    private volatile boolean sound = true;

    Upstream(URI url) {
        this.name = url.getScheme() + "://" + url.getRawAuthority();
        this.host = url.getHost().replaceAll("[\\[\\]]", "");
        this.encrypted = "https".equals(url.getScheme());
        this.port = url.getPort() > 0 ? url.getPort() : encrypted ? 443 : 80;
        String path = url.getRawPath() == null ? "" : url.getRawPath();
        this.prefix = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    RequestOptions request(String target) {
        return new RequestOptions()
                .setHost(host)
                .setPort(port)
                .setSsl(encrypted)
                .setURI(prefix + target)
                .setFollowRedirects(false);
    }

    boolean resting() {
        return !sound || failures.get() >= FAILURES;
    }

    /** Whether this request may find out if it is back. */
    boolean tryAgain() {
        long due = again.get();
        long now = System.nanoTime();
        return now - due >= 0 && again.compareAndSet(due, now + REST_NANOS);
    }

    void worked() {
        if (failures.getAndSet(0) >= FAILURES) {
            log.info("The application answers again. upstream={}", name);
        }
    }

    void failed(String why) {
        if (failures.incrementAndGet() == FAILURES) {
            again.set(System.nanoTime() + REST_NANOS);
            log.warn(
                    "The application has failed several times and gets a rest. upstream={}"
                            + " reason={}",
                    name,
                    why);
        }
    }

    void looked(boolean good) {
        if (good != sound) {
            log.warn(
                    good
                            ? "The application is sound again. upstream={}"
                            : "The application is not sound. upstream={}",
                    name);
        }
        sound = good;
        if (good) {
            worked();
        }
    }
}
