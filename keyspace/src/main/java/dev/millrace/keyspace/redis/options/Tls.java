package dev.millrace.keyspace.redis.options;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.Optional;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/**
 * Encrypted connections. The server's certificate is checked, and so is that it is for the host in
 * the address: against the authorities that Java knows, or only those in a file. Where the server
 * asks who we are, a certificate of our own answers.
 */
public final class Tls {
    private static final char[] NO_PASSWORD = {};

    private final SSLContext context;

    private Tls(SSLContext context) {
        this.context = context;
    }

    /** With the authorities that Java knows, and no certificate of our own. */
    public static Tls standard() {
        return of(Optional.empty(), Optional.empty(), Optional.empty());
    }

    /**
     * From PEM files.
     *
     * @param authorities certificates of those who may vouch for the server
     * @param certificate our own, with those who vouch for it behind it
     * @param key its private key, in PKCS #8 form without a password
     * @throws IllegalArgumentException with a sentence that names the file
     */
    public static Tls of(
            Optional<Path> authorities, Optional<Path> certificate, Optional<Path> key) {
        if (certificate.isPresent() != key.isPresent()) {
            throw new IllegalArgumentException(
                    "A certificate of our own needs its key, and a key its certificate.");
        }
        try {
            TrustManagerFactory trust =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(authorities.isPresent() ? trusted(authorities.get()) : null);
            KeyManagerFactory own = null;
            if (certificate.isPresent()) {
                own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
                own.init(identity(certificate.get(), key.orElseThrow()), NO_PASSWORD);
            }
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(own == null ? null : own.getKeyManagers(), trust.getTrustManagers(), null);
            return new Tls(context);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("Java cannot set up encryption: " + e.getMessage(), e);
        }
    }

    public SSLSocketFactory sockets() {
        return context.getSocketFactory();
    }

    private static KeyStore trusted(Path file) throws GeneralSecurityException, IOException {
        KeyStore store = empty();
        int number = 0;
        for (Certificate each : certificates(file)) {
            store.setCertificateEntry("authority-" + number++, each);
        }
        return store;
    }

    private static KeyStore identity(Path certificate, Path key)
            throws GeneralSecurityException, IOException {
        KeyStore store = empty();
        Certificate[] chain = certificates(certificate).toArray(Certificate[]::new);
        store.setKeyEntry("own", privateKey(key), NO_PASSWORD, chain);
        return store;
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static Collection<? extends Certificate> certificates(Path file) {
        try (var in = Files.newInputStream(file)) {
            Collection<? extends Certificate> found =
                    CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (found.isEmpty()) {
                throw bad(file, "holds no certificate in PEM form", null);
            }
            return found;
        } catch (IOException e) {
            throw unreadable(file, e);
        } catch (GeneralSecurityException e) {
            throw bad(file, "holds no certificate in PEM form", e);
        }
    }

    private static PrivateKey privateKey(Path file) {
        byte[] encoded;
        try {
            String text = Files.readString(file);
            String body =
                    text.replaceAll("(?s).*-----BEGIN PRIVATE KEY-----", "")
                            .replaceAll("(?s)-----END PRIVATE KEY-----.*", "");
            encoded = Base64.getMimeDecoder().decode(body);
        } catch (IOException e) {
            throw unreadable(file, e);
        } catch (IllegalArgumentException e) {
            throw bad(file, "holds no private key in PKCS #8 PEM form", e);
        }
        for (String algorithm : new String[] {"RSA", "EC", "EdDSA"}) {
            try {
                return KeyFactory.getInstance(algorithm)
                        .generatePrivate(new PKCS8EncodedKeySpec(encoded));
            } catch (InvalidKeySpecException e) {
                // a key of another algorithm
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }
        throw bad(
                file,
                "holds no private key in PKCS #8 PEM form without a password; openssl pkcs8 -topk8"
                        + " -nocrypt makes one",
                null);
    }

    private static IllegalArgumentException unreadable(Path file, IOException e) {
        return bad(
                file,
                e instanceof NoSuchFileException
                        ? "does not exist"
                        : "cannot be read (" + e.getMessage() + ")",
                e);
    }

    private static IllegalArgumentException bad(Path file, String what, @Nullable Exception cause) {
        return new IllegalArgumentException(file + " " + what + ".", cause);
    }
}
