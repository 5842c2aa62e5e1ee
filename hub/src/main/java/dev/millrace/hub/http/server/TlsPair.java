package dev.millrace.hub.http.server;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemKeyCertOptions;

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
import java.util.stream.Stream;

import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.X509KeyManager;

/**
 * The hub's certificate and its key, as they lie on disk: for HTTPS, and for MQTT over TLS. They
 * are renewed while the hub runs, so whoever uses them looks at {@link #times} now and then.
 */
public final class TlsPair {
    private final Path certificate;
    private final Path key;

    public TlsPair(HttpSettings.TlsFiles files) {
        this.certificate = files.certificate();
        this.key = files.key();
    }

    /** Without reading anything: the library reads them itself. */
    PemKeyCertOptions options() {
        return new PemKeyCertOptions()
                .setCertPath(certificate.toAbsolutePath().toString())
                .setKeyPath(key.toAbsolutePath().toString());
    }

    /**
     * Reads both, and looks whether they belong together. The library takes a key that belongs to
     * another certificate without a word, and no client could connect any more.
     *
     * @throws CannotListenException with a sentence that says what to do
     */
    @SuppressWarnings(
            "NullAway") // The library needs a Vertx only to find files, and has none to find.
    public KeyManagerFactory read() {
        try {
            KeyManagerFactory factory =
                    new PemKeyCertOptions()
                            .addCertValue(Buffer.buffer(Files.readAllBytes(certificate)))
                            .addKeyValue(Buffer.buffer(Files.readAllBytes(key)))
                            .getKeyManagerFactory(null);
            for (KeyManager each : factory.getKeyManagers()) {
                if (each instanceof X509KeyManager keys) {
                    mustBelongTogether(keys);
                }
            }
            return factory;
        } catch (CannotListenException e) {
            throw e;
        } catch (Exception e) {
            throw new CannotListenException(
                    "http.tls.cert %s and http.tls.key %s cannot be read as PEM: %s."
                            .formatted(certificate, key, e.getMessage()));
        }
    }

    private void mustBelongTogether(X509KeyManager keys) throws GeneralSecurityException {
        for (String type : List.of("RSA", "EC", "EdDSA")) {
            String[] names = keys.getServerAliases(type, null);
            for (String name : names == null ? new String[0] : names) {
                mustBelongTogether(
                        keys.getPrivateKey(name), keys.getCertificateChain(name)[0].getPublicKey());
            }
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
                                    .formatted(key, certificate)
                            + " the two that belong together.");
        }
    }

    /** When the files were changed last. */
    public List<FileTime> times() {
        return Stream.of(certificate, key).map(TlsPair::time).toList();
    }

    private static FileTime time(Path file) {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException e) {
            return FileTime.fromMillis(0);
        }
    }

    /** For the log. */
    @Override
    public String toString() {
        return certificate.toString();
    }
}
