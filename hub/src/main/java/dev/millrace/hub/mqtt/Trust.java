package dev.millrace.hub.mqtt;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;

import javax.net.ssl.TrustManagerFactory;

/** Trusts the certificates in a file, and what they vouch for. */
final class Trust {
    private Trust() {}

    static TrustManagerFactory in(Path file) {
        try (InputStream pem = Files.newInputStream(file)) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int number = 0;
            for (Certificate each :
                    CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
                store.setCertificateEntry("trusted-" + number++, each);
            }
            if (number == 0) {
                throw new MqttException("mqtt.trust %s contains no certificate.".formatted(file));
            }
            TrustManagerFactory factory =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            return factory;
        } catch (IOException | GeneralSecurityException e) {
            throw new MqttException(
                    "mqtt.trust %s cannot be read as certificates in PEM: %s."
                            .formatted(file, e.getMessage()));
        }
    }
}
