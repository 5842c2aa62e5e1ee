package dev.millrace.hub.pubsub.jwt;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** One key that a token may be signed with. */
public sealed interface JwtKey {
    /** Hash by the digits of an algorithm's name. */
    Map<String, String> HASHES = Map.of("256", "SHA-256", "384", "SHA-384", "512", "SHA-512");

    /** Bits of the curve by those digits. */
    Map<String, Integer> CURVES = Map.of("256", 256, "384", 384, "512", 521);

    Pattern NAME = Pattern.compile("(HS|RS|PS|ES)(256|384|512)");

    Pattern PEM =
            Pattern.compile("-----BEGIN (PUBLIC KEY|CERTIFICATE)-----([A-Za-z0-9+/=\\s]+)-----END");

    boolean fits(byte[] signed, byte[] signature);

    /** Whether there is such an algorithm. */
    static boolean isAlgorithm(String name) {
        return NAME.matcher(name).matches();
    }

    /**
     * The key in a file.
     *
     * @throws IllegalArgumentException with words that say what is wrong with it
     */
    static JwtKey of(String algorithm, byte[] file) {
        Matcher name = NAME.matcher(algorithm);
        if (!name.matches()) {
            throw new IllegalArgumentException("is for no algorithm that is known");
        }
        if (file.length == 0) {
            throw new IllegalArgumentException("is empty");
        }
        String digits = name.group(2);
        if (name.group(1).equals("HS")) {
            return new Secret("HmacSHA" + digits, new SecretKeySpec(file, "HmacSHA" + digits));
        }
        PublicKey key = publicKey(file);
        return switch (name.group(1)) {
            case "ES" -> {
                if (!(key instanceof ECPublicKey curve)
                        || curve.getParams().getCurve().getField().getFieldSize()
                                != CURVES.getOrDefault(digits, 0)) {
                    throw new IllegalArgumentException("holds no key for " + algorithm);
                }
                yield new Public("SHA%swithECDSAinP1363Format".formatted(digits), key, List.of());
            }
            case "PS" -> new Public("RSASSA-PSS", rsa(key, algorithm), salts(digits, key));
            default -> new Public("SHA%swithRSA".formatted(digits), rsa(key, algorithm), List.of());
        };
    }

    private static PublicKey rsa(PublicKey key, String algorithm) {
        if (key instanceof RSAPublicKey) {
            return key;
        }
        throw new IllegalArgumentException("holds no key for " + algorithm);
    }

    /** As long as the hash, which is the standard, or as long as possible, which some sign with. */
    private static List<AlgorithmParameterSpec> salts(String digits, PublicKey key) {
        String hash = HASHES.getOrDefault(digits, "SHA-256");
        int hashBytes = Integer.parseInt(digits) / Byte.SIZE;
        List<AlgorithmParameterSpec> salts = new ArrayList<>();
        MGF1ParameterSpec mask = new MGF1ParameterSpec(hash);
        salts.add(new PSSParameterSpec(hash, "MGF1", mask, hashBytes, 1));
        if (key instanceof RSAPublicKey rsa) {
            int most = (rsa.getModulus().bitLength() + Byte.SIZE - 2) / Byte.SIZE - hashBytes - 2;
            if (most > hashBytes) {
                salts.add(new PSSParameterSpec(hash, "MGF1", mask, most, 1));
            }
        }
        return salts;
    }

    private static PublicKey publicKey(byte[] file) {
        Matcher pem = PEM.matcher(new String(file, StandardCharsets.ISO_8859_1));
        if (!pem.find()) {
            throw new IllegalArgumentException(
                    "holds no public key; it must begin with -----BEGIN PUBLIC KEY----- or"
                            + " -----BEGIN CERTIFICATE-----");
        }
        try {
            byte[] der = Base64.getMimeDecoder().decode(pem.group(2));
            return pem.group(1).equals("CERTIFICATE") ? certified(der) : plain(der);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IllegalArgumentException("holds no public key that can be read", e);
        }
    }

    private static PublicKey certified(byte[] der) throws GeneralSecurityException {
        return CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(der))
                .getPublicKey();
    }

    private static PublicKey plain(byte[] der) throws GeneralSecurityException {
        X509EncodedKeySpec spec = new X509EncodedKeySpec(der);
        try {
            return KeyFactory.getInstance("RSA").generatePublic(spec);
        } catch (GeneralSecurityException e) {
            return KeyFactory.getInstance("EC").generatePublic(spec);
        }
    }

    /** A secret that both sides know. */
    record Secret(String algorithm, SecretKeySpec key) implements JwtKey {
        @Override
        public boolean fits(byte[] signed, byte[] signature) {
            try {
                Mac mac = Mac.getInstance(algorithm);
                mac.init(key);
                return MessageDigest.isEqual(mac.doFinal(signed), signature);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public String toString() {
            return algorithm + " ***";
        }
    }

    /**
     * The public half of a key.
     *
     * @param parameters each is tried; none where the algorithm has none
     */
    record Public(String algorithm, PublicKey key, List<AlgorithmParameterSpec> parameters)
            implements JwtKey {

        @Override
        public boolean fits(byte[] signed, byte[] signature) {
            if (parameters.isEmpty()) {
                return fits(null, signed, signature);
            }
            for (AlgorithmParameterSpec each : parameters) {
                if (fits(each, signed, signature)) {
                    return true;
                }
            }
            return false;
        }

        private boolean fits(
                @Nullable AlgorithmParameterSpec parameter, byte[] signed, byte[] signature) {
            try {
                Signature check = Signature.getInstance(algorithm);
                if (parameter != null) {
                    check.setParameter(parameter);
                }
                check.initVerify(key);
                check.update(signed);
                return check.verify(signature);
            } catch (GeneralSecurityException e) {
                // Such as a signature of another length.
                return false;
            }
        }

        /** Parameters are not compared: they follow from algorithm and key. */
        @Override
        public boolean equals(Object other) {
            return other instanceof Public that
                    && algorithm.equals(that.algorithm)
                    && key.equals(that.key);
        }

        @Override
        public int hashCode() {
            return key.hashCode();
        }
    }
}
