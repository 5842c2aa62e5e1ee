package dev.millrace.keyspace.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Certificates that vouch for themselves, made by the JDK's own tool, in a directory of a test.
 * Each is made once in a JVM and copied from then on: a long key takes seconds to find, now and
 * then many.
 */
public final class TestCertificates {
    private static final String PASSWORD = "for-tests";

    private static final ConcurrentHashMap<List<String>, byte[]> MADE = new ConcurrentHashMap<>();

    private final Path directory;

    public TestCertificates(Path directory) {
        this.directory = directory;
    }

    /** Makes a key and a certificate for a host. */
    public TestCertificates make(String name, String subjectAlternative, String algorithm) {
        byte[] store =
                MADE.computeIfAbsent(
                        List.of(name, subjectAlternative, algorithm),
                        wanted -> makeStore(name, subjectAlternative, algorithm));
        try {
            Files.write(store(name), store);
            KeyStore keys = keys(name);
            write(certificate(name), "CERTIFICATE", keys.getCertificate(name).getEncoded());
            write(key(name), "PRIVATE KEY", keys.getKey(name, PASSWORD.toCharArray()).getEncoded());
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private byte[] makeStore(String name, String subjectAlternative, String algorithm) {
        Path log = directory.resolve(name + ".log");
        List<String> command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                        "-genkeypair",
                        "-alias",
                        name,
                        "-keyalg",
                        algorithm,
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=" + subjectAlternative,
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        store(name).toString());
        try {
            Process tool =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(log.toFile())
                            .start();
            if (tool.waitFor() != 0) {
                throw new IllegalStateException(Files.readString(log));
            }
            return Files.readAllBytes(store(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public Path certificate(String name) {
        return directory.resolve(name + ".crt");
    }

    public Path key(String name) {
        return directory.resolve(name + ".key");
    }

    private Path store(String name) {
        return directory.resolve(name + ".p12");
    }

    private KeyStore keys(String name) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store(name))) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return keys;
    }

    private static void write(Path file, String what, byte[] encoded) throws IOException {
        String body =
                Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                        .encodeToString(encoded);
        Files.writeString(
                file, "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(what, body, what));
    }

    /** What a server needs that is {@code name} and lets in whoever has the other certificate. */
    SSLContext server(String name, String client) {
        try {
            KeyManagerFactory own =
                    KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            own.init(keys(name), PASSWORD.toCharArray());
            TrustManagerFactory trust =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry(client, keys(client).getCertificate(client));
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
            return context;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
