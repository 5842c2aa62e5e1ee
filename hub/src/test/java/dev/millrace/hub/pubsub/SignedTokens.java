package dev.millrace.hub.pubsub;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.Base64;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Somebody who issues tokens: keys, files with their public halves, signatures. */
public final class SignedTokens {
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    private SignedTokens() {}

    /** Signs something. */
    interface Signer {
        byte[] sign(byte[] text) throws GeneralSecurityException;
    }

    public static KeyPair rsa() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    public static KeyPair ec(String curve) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec(curve));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Writes the public half of a key. */
    public static Path pem(Path file, KeyPair keys) {
        String text =
                "-----BEGIN PUBLIC KEY-----\n%s\n-----END PUBLIC KEY-----\n"
                        .formatted(
                                Base64.getMimeEncoder()
                                        .encodeToString(keys.getPublic().getEncoded()));
        return write(file, text.getBytes(StandardCharsets.US_ASCII));
    }

    public static Path write(Path file, byte[] bytes) {
        try {
            return Files.write(file, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Signer plain(String algorithm, KeyPair keys) {
        return text -> {
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(keys.getPrivate());
            signature.update(text);
            return signature.sign();
        };
    }

    public static Signer pss(String hash, int salt, KeyPair keys) {
        return text -> {
            Signature signature = Signature.getInstance("RSASSA-PSS");
            signature.setParameter(
                    new PSSParameterSpec(hash, "MGF1", new MGF1ParameterSpec(hash), salt, 1));
            signature.initSign(keys.getPrivate());
            signature.update(text);
            return signature.sign();
        };
    }

    public static Signer secret(String algorithm, byte[] secret) {
        return text -> {
            Mac mac = Mac.getInstance(algorithm);
            mac.init(new SecretKeySpec(secret, algorithm));
            return mac.doFinal(text);
        };
    }

    public static final Signer NOBODY = text -> new byte[0];

    /** A token whose header names this algorithm. */
    public static String token(String algorithm, String claims, Signer signer) {
        return withHeader("{\"alg\":\"%s\",\"typ\":\"JWT\"}".formatted(algorithm), claims, signer);
    }

    public static String withHeader(String header, String claims, Signer signer) {
        String signed = base64(header) + "." + base64(claims);
        try {
            byte[] signature = signer.sign(signed.getBytes(StandardCharsets.US_ASCII));
            return signed + "." + BASE64.encodeToString(signature);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String base64(String text) {
        return BASE64.encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
