package dev.millrace.hub.http;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.ServerSSLOptions;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Certificate and key, and a look every few seconds whether they were renewed: the next connection
 * then gets the new ones, and nobody has to restart anything. Files that are not (yet) right are
 * reported, and the old ones stay in use.
 */
final class Certificates {
    private static final Logger log = LoggerFactory.getLogger(Certificates.class);
    private static final long LOOK_MILLIS = 5_000;

    private final List<Path> files;

    Certificates(HttpSettings settings) {
        files = settings.tls().map(tls -> List.of(tls.certificate(), tls.key())).orElse(List.of());
    }

    boolean used() {
        return !files.isEmpty();
    }

    HttpServerOptions apply(HttpServerOptions options) {
        return used() ? options.setSsl(true).setUseAlpn(true).setKeyCertOptions(pair()) : options;
    }

    private PemKeyCertOptions pair() {
        return new PemKeyCertOptions()
                .setCertPath(files.get(0).toAbsolutePath().toString())
                .setKeyPath(files.get(1).toAbsolutePath().toString());
    }

    void watch(Vertx vertx, HttpServer server) {
        if (used()) {
            AtomicReference<List<FileTime>> seen = new AtomicReference<>(times());
            vertx.setPeriodic(
                    LOOK_MILLIS,
                    tick -> {
                        List<FileTime> now = times();
                        if (!now.equals(seen.getAndSet(now))) {
                            reload(server);
                        }
                    });
        }
    }

    private void reload(HttpServer server) {
        server.updateSSLOptions(
                        new ServerSSLOptions().setKeyCertOptions(pair()).setUseAlpn(true), true)
                .onSuccess(done -> log.info("The certificate was renewed. file={}", files.get(0)))
                .onFailure(
                        e ->
                                log.warn(
                                        "The new certificate cannot be used; the old one stays."
                                                + " file={} reason={}",
                                        files.get(0),
                                        e.getMessage()));
    }

    private List<FileTime> times() {
        return files.stream().map(Certificates::time).toList();
    }

    private static FileTime time(Path file) {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException e) {
            return FileTime.fromMillis(0);
        }
    }
}
