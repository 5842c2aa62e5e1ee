package dev.millrace.hub.http;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.ServerSSLOptions;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import javax.net.ssl.KeyManager;
import javax.net.ssl.X509KeyManager;

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
                            reload(vertx, server);
                        }
                    });
        }
    }

    private void reload(Vertx vertx, HttpServer server) {
        try {
            check(vertx);
        } catch (CannotListenException e) {
            stays(e);
            return;
        }
        server.updateSSLOptions(
                        new ServerSSLOptions().setKeyCertOptions(pair()).setUseAlpn(true), true)
                .onSuccess(done -> log.info("The certificate was renewed. file={}", files.get(0)))
                .onFailure(Certificates::stays);
    }

    private static void stays(Throwable why) {
        log.warn(
                "The new certificate cannot be used; the old one stays. reason={}",
                why.getMessage());
    }

    /**
     * Whether certificate and key can be read and belong together. The library takes a key that
     * belongs to another certificate without a word, and no client could connect any more.
     *
     * @throws CannotListenException with a sentence that says what to do
     */
    void check(Vertx vertx) {
        if (!used()) {
            return;
        }
        try {
            for (KeyManager each : pair().getKeyManagerFactory(vertx).getKeyManagers()) {
                if (each instanceof X509KeyManager keys) {
                    for (String type : List.of("RSA", "EC", "EdDSA")) {
                        String[] names = keys.getServerAliases(type, null);
                        for (String name : names == null ? new String[0] : names) {
                            mustBelongTogether(
                                    keys.getPrivateKey(name),
                                    keys.getCertificateChain(name)[0].getPublicKey());
                        }
                    }
                }
            }
        } catch (CannotListenException e) {
            throw e;
        } catch (Exception e) {
            throw new CannotListenException(
                    "http.tls.cert %s and http.tls.key %s cannot be read as PEM: %s."
                            .formatted(files.get(0), files.get(1), e.getMessage()));
        }
    }

    private void mustBelongTogether(PrivateKey secret, PublicKey open)
            throws GeneralSecurityException {
        byte[] sample = "does it fit?".getBytes(StandardCharsets.US_ASCII);
        boolean fits = secret.getAlgorithm().equals(open.getAlgorithm());
        if (fits) {
            String algorithm =
                    switch (secret.getAlgorithm()) {
                        case "RSA" -> "SHA256withRSA";
                        case "EC" -> "SHA256withECDSA";
                        default -> secret.getAlgorithm();
                    };
            Signature signing = Signature.getInstance(algorithm);
            signing.initSign(secret);
            signing.update(sample);
            Signature verifying = Signature.getInstance(algorithm);
            verifying.initVerify(open);
            verifying.update(sample);
            fits = verifying.verify(signing.sign());
        }
        if (!fits) {
            throw new CannotListenException(
                    "http.tls.key %s is not the key to the certificate in http.tls.cert %s; name"
                                    .formatted(files.get(1), files.get(0))
                            + " the two that belong together.");
        }
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
