package dev.millrace.hub.http.server;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.ServerSSLOptions;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * HTTPS, and a look every few seconds whether certificate and key were renewed: the next connection
 * then gets the new ones, and nobody has to restart anything. Files that are not (yet) right are
 * reported, and the old ones stay in use.
 */
final class Certificates {
    private static final Logger log = LoggerFactory.getLogger(Certificates.class);
    private static final long LOOK_MILLIS = 5_000;

    private final Optional<TlsPair> pair;

    Certificates(HttpSettings settings) {
        pair = settings.certificate().map(TlsPair::new);
    }

    boolean used() {
        return pair.isPresent();
    }

    HttpServerOptions apply(HttpServerOptions options) {
        return pair.map(
                        there ->
                                options.setSsl(true)
                                        .setUseAlpn(true)
                                        .setKeyCertOptions(there.options()))
                .orElse(options);
    }

    void watch(Vertx vertx, HttpServer server) {
        pair.ifPresent(
                there -> {
                    AtomicReference<List<FileTime>> seen = new AtomicReference<>(there.times());
                    vertx.setPeriodic(
                            LOOK_MILLIS,
                            tick -> {
                                List<FileTime> now = there.times();
                                if (!now.equals(seen.getAndSet(now))) {
                                    reload(there, server);
                                }
                            });
                });
    }

    private static void reload(TlsPair pair, HttpServer server) {
        try {
            pair.read();
        } catch (CannotListenException e) {
            stays(e);
            return;
        }
        server.updateSSLOptions(
                        new ServerSSLOptions().setKeyCertOptions(pair.options()).setUseAlpn(true),
                        true)
                .onSuccess(done -> log.info("The certificate was renewed. file={}", pair))
                .onFailure(Certificates::stays);
    }

    private static void stays(Throwable why) {
        log.warn(
                "The new certificate cannot be used; the old one stays. reason={}",
                why.getMessage());
    }

    /**
     * Whether certificate and key can be read and belong together.
     *
     * @throws CannotListenException with a sentence that says what to do
     */
    void check() {
        pair.ifPresent(TlsPair::read);
    }
}
