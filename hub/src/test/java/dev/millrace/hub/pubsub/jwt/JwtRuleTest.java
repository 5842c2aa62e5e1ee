package dev.millrace.hub.pubsub.jwt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.pubsub.SignedTokens;
import dev.millrace.hub.pubsub.config.ChannelBook;
import dev.millrace.hub.pubsub.config.ReadSettings;
import dev.millrace.keyspace.testing.TestCertificates;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** Which tokens a channel accepts, row by row of the description. */
class JwtRuleTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_000_000);
    private static final byte[] SECRET = "s3\n".getBytes(StandardCharsets.US_ASCII);

    @TempDir private static Path directory;
    private static KeyPair rsa;
    private static KeyPair other;
    private static Path secret;
    private static Path rsaFile;

    @BeforeAll
    static void keys() {
        rsa = SignedTokens.rsa();
        other = SignedTokens.rsa();
        secret = SignedTokens.write(directory.resolve("secret"), SECRET);
        rsaFile = SignedTokens.pem(directory.resolve("rsa.pem"), rsa);
    }

    /** The rule of a channel named chat-7 with this jwt block. */
    private static JwtRule rule(String jwt) {
        String channels = "[{regex: 'chat-(?P<room>.+)', jwt: %s}]".formatted(jwt);
        return new ChannelBook(ReadSettings.set("pubsub.channels=" + channels))
                .rules("chat-7")
                .orElseThrow()
                .jwt()
                .getFirst();
    }

    private static JwtRule signedBy(String algorithm, Path... files) {
        return rule("{iss: [me], keys: {%s: %s}}".formatted(algorithm, List.of(files).toString()));
    }

    private static boolean accepts(JwtRule rule, String token) {
        Optional<Jwt> jwt = Jwt.parse(token);
        return jwt.isPresent() && rule.refusal(jwt.get(), NOW).isEmpty();
    }

    private static String hs(String claims) {
        return SignedTokens.token("HS256", claims, SignedTokens.secret("HmacSHA256", SECRET));
    }

    private static final String ME = "{\"iss\":\"me\"}";

    // ---------------------------------------------------------------- signatures

    @ParameterizedTest
    @ValueSource(strings = {"256", "384", "512"})
    void secrets_are_the_raw_bytes_of_their_file(String bits) {
        JwtRule rule = signedBy("HS" + bits, secret);
        String mac = "HmacSHA" + bits;
        assertThat(
                        accepts(
                                rule,
                                SignedTokens.token(
                                        "HS" + bits, ME, SignedTokens.secret(mac, SECRET))))
                .isTrue();
        byte[] stripped = {SECRET[0], SECRET[1]};
        assertThat(
                        accepts(
                                rule,
                                SignedTokens.token(
                                        "HS" + bits, ME, SignedTokens.secret(mac, stripped))))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"256", "384", "512"})
    void rsa_signatures_are_checked(String bits) {
        JwtRule rule = signedBy("RS" + bits, rsaFile);
        String name = "SHA%swithRSA".formatted(bits);
        assertThat(
                        accepts(
                                rule,
                                SignedTokens.token("RS" + bits, ME, SignedTokens.plain(name, rsa))))
                .isTrue();
        assertThat(
                        accepts(
                                rule,
                                SignedTokens.token(
                                        "RS" + bits, ME, SignedTokens.plain(name, other))))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({"256, 32", "384, 48", "512, 64", "256, 222", "384, 206", "512, 190"})
    void pss_signatures_are_checked_with_a_salt_of_both_usual_lengths(String bits, int salt) {
        JwtRule rule = signedBy("PS" + bits, rsaFile);
        String hash = "SHA-" + bits;
        assertThat(
                        accepts(
                                rule,
                                SignedTokens.token(
                                        "PS" + bits, ME, SignedTokens.pss(hash, salt, rsa))))
                .isTrue();
        assertThat(
                        accepts(
                                rule,
                                SignedTokens.token(
                                        "PS" + bits, ME, SignedTokens.pss(hash, salt, other))))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({"256, secp256r1", "384, secp384r1", "512, secp521r1"})
    void signatures_by_curves_are_checked(String bits, String curve) {
        KeyPair keys = SignedTokens.ec(curve);
        Path file = SignedTokens.pem(directory.resolve(curve + ".pem"), keys);
        JwtRule rule = signedBy("ES" + bits, file);
        String name = "SHA%swithECDSAinP1363Format".formatted(bits);
        assertThat(
                        accepts(
                                rule,
                                SignedTokens.token(
                                        "ES" + bits, ME, SignedTokens.plain(name, keys))))
                .isTrue();
        KeyPair wrong = SignedTokens.ec(curve);
        assertThat(
                        accepts(
                                rule,
                                SignedTokens.token(
                                        "ES" + bits, ME, SignedTokens.plain(name, wrong))))
                .isFalse();
        String der = "SHA%swithECDSA".formatted(bits);
        assertThat(
                        accepts(
                                rule,
                                SignedTokens.token("ES" + bits, ME, SignedTokens.plain(der, keys))))
                .isFalse();
    }

    @Test
    void a_certificate_holds_a_key_too() throws IOException, GeneralSecurityException {
        TestCertificates certificates =
                new TestCertificates(directory).make("issuer", "dns:issuer", "RSA");
        byte[] der =
                Base64.getMimeDecoder()
                        .decode(
                                Files.readString(certificates.key("issuer"))
                                        .replaceAll("-----.*-----", ""));
        KeyPair keys =
                new KeyPair(
                        CertificateFactory.getInstance("X.509")
                                .generateCertificate(
                                        Files.newInputStream(certificates.certificate("issuer")))
                                .getPublicKey(),
                        KeyFactory.getInstance("RSA")
                                .generatePrivate(new PKCS8EncodedKeySpec(der)));
        JwtRule rule = signedBy("RS256", certificates.certificate("issuer"));
        assertThat(
                        accepts(
                                rule,
                                SignedTokens.token(
                                        "RS256", ME, SignedTokens.plain("SHA256withRSA", keys))))
                .isTrue();
    }

    @Test
    void all_keys_of_an_algorithm_are_tried() {
        Path second = SignedTokens.pem(directory.resolve("second.pem"), other);
        JwtRule rule = signedBy("RS256", rsaFile, second);
        for (KeyPair keys : List.of(rsa, other)) {
            String token =
                    SignedTokens.token("RS256", ME, SignedTokens.plain("SHA256withRSA", keys));
            assertThat(accepts(rule, token)).isTrue();
            assertThat(accepts(rule, token)).as("again, from memory").isTrue();
        }
    }

    @Test
    void unsigned_tokens_pass_only_where_that_is_said_and_without_a_signature() {
        JwtRule rule = signedBy("none");
        assertThat(accepts(rule, SignedTokens.token("none", ME, SignedTokens.NOBODY))).isTrue();
        assertThat(
                        accepts(
                                rule,
                                SignedTokens.token(
                                        "none", ME, SignedTokens.secret("HmacSHA256", SECRET))))
                .isFalse();
        assertThat(accepts(rule, SignedTokens.token("None", ME, SignedTokens.NOBODY))).isFalse();
        assertThat(
                        accepts(
                                signedBy("HS256", secret),
                                SignedTokens.token("none", ME, SignedTokens.NOBODY)))
                .isFalse();
    }

    @Test
    void a_public_key_is_no_secret() throws IOException {
        // The old trick: sign by HMAC with the public key, which everybody has.
        byte[] pem = Files.readAllBytes(rsaFile);
        String token = SignedTokens.token("HS256", ME, SignedTokens.secret("HmacSHA256", pem));
        assertThat(accepts(signedBy("RS256", rsaFile), token)).isFalse();
    }

    @Test
    void an_algorithm_without_keys_is_refused() {
        String token = SignedTokens.token("HS384", ME, SignedTokens.secret("HmacSHA384", SECRET));
        assertThat(accepts(signedBy("HS256", secret), token)).isFalse();
    }

    @Test
    void demands_that_are_not_understood_are_refused() {
        String token =
                SignedTokens.withHeader(
                        "{\"alg\":\"HS256\",\"crit\":[\"b64\"],\"b64\":false}",
                        ME,
                        SignedTokens.secret("HmacSHA256", SECRET));
        assertThat(accepts(signedBy("HS256", secret), token)).isFalse();
    }

    @Test
    void a_token_that_was_changed_is_refused_also_after_the_right_one() {
        JwtRule rule = signedBy("HS256", secret);
        String good = hs("{\"iss\":\"me\",\"sub\":\"ann\"}");
        assertThat(accepts(rule, good)).isTrue();
        String signature = good.substring(good.lastIndexOf('.') + 1);
        String forged = hs("{\"iss\":\"me\",\"sub\":\"bob\"}");
        String changed = forged.substring(0, forged.lastIndexOf('.') + 1) + signature;
        assertThat(accepts(rule, changed)).isFalse();
        assertThat(accepts(rule, good.substring(0, good.length() - 3))).isFalse();
        assertThat(accepts(rule, good.substring(0, good.lastIndexOf('.') + 1))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "a.b",
                "a.b.c",
                "....",
                "e30.e30",
                "e30.e30.e30.e30",
                ".e30.",
                "e30.W10.",
                "W10.e30.",
                "e30.ImEi.",
                "!.e30.",
                "e30.bm90IGpzb24."
            })
    void what_is_no_token_is_none(String text) {
        assertThat(Jwt.parse(text)).isEmpty();
    }

    // ---------------------------------------------------------------- claims

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                // the leeway is 300 s; now is 1000000
                "\"exp\":1000000; true",
                "\"exp\":999700; true",
                "\"exp\":999699; false",
                "\"exp\":999699.5; false",
                "\"exp\":1e9; true",
                "\"exp\":1e400; true",
                "\"exp\":\"1000000\"; false",
                "\"exp\":null; false",
                "\"nbf\":1000300; true",
                "\"nbf\":1000301; false",
                "\"nbf\":true; false",
                "\"iat\":1000300; true",
                "\"iat\":1000301; false",
                "\"iat\":[1]; false",
                "\"sub\":\"x\"; true",
                "\"jti\":\"x\"; true",
                "\"jti\":7; false",
                "\"jti\":[\"x\"]; false"
            })
    void times_count_with_the_leeway_and_need_not_be_there(String claim, boolean accepted) {
        JwtRule rule = signedBy("HS256", secret);
        assertThat(accepts(rule, hs("{\"iss\":\"me\"," + claim + "}"))).isEqualTo(accepted);
    }

    @Test
    void a_leeway_of_nothing_is_exact() {
        JwtRule rule = rule("{iss: me, keys: {HS256: [%s]}, clockSkewLeeway: 0}".formatted(secret));
        assertThat(accepts(rule, hs("{\"iss\":\"me\",\"exp\":1000000}"))).isTrue();
        assertThat(accepts(rule, hs("{\"iss\":\"me\",\"exp\":999999}"))).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{\"iss\":\"me\"}; true",
                "{\"iss\":\"you\"}; true",
                "{\"iss\":\"Me\"}; false",
                "{\"iss\":\"me \"}; false",
                "{\"iss\":[\"me\"]}; false",
                "{\"iss\":null}; false",
                "{}; false"
            })
    void the_issuer_is_one_of_those_named(String claims, boolean accepted) {
        JwtRule rule = rule("{iss: [me, you], keys: {HS256: [%s]}}".formatted(secret));
        assertThat(accepts(rule, hs(claims))).isEqualTo(accepted);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "\"aud\":\"a\"; true",
                "\"aud\":[\"x\",\"b\"]; true",
                "\"aud\":\"c\"; false",
                "\"aud\":[]; false",
                "\"aud\":[7,\"a\"]; false",
                "\"aud\":7; false",
                "\"x\":1; false"
            })
    void the_audience_has_one_of_those_named(String claim, boolean accepted) {
        JwtRule rule = rule("{iss: [me], aud: [a, b], keys: {HS256: [%s]}}".formatted(secret));
        assertThat(accepts(rule, hs("{\"iss\":\"me\"," + claim + "}"))).isEqualTo(accepted);
        assertThat(accepts(signedBy("HS256", secret), hs("{\"iss\":\"me\",\"aud\":\"any\"}")))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "\"room\":\"7\"; true",
                "\"room\":7; true",
                "\"room\":7.0; true",
                "\"room\":70e-1; true",
                "\"room\":\"07\"; false",
                "\"room\":\"all\"; true",
                "\"room\":true; true",
                "\"room\":false; false",
                "\"room\":3.14; true",
                "\"room\":\"3.14\"; true",
                "\"room\":1e21; true",
                "\"room\":null; false",
                "\"room\":[\"7\"]; false",
                "\"room\":{}; false",
                "\"x\":7; false"
            })
    void other_claims_are_compared_as_text(String claim, boolean accepted) {
        JwtRule rule =
                rule(
                        "{iss: [me], keys: {HS256: [%s]}, claims: {room: ['{{.channel.room}}', all, 'true', '3.14', '1000000000000000000000']}}"
                                .formatted(secret));
        assertThat(accepts(rule, hs("{\"iss\":\"me\"," + claim + "}"))).isEqualTo(accepted);
    }

    @Test
    void every_claim_that_is_named_must_fit() {
        JwtRule rule =
                rule("{iss: me, keys: {HS256: [%s]}, claims: {a: x, b: [y]}}".formatted(secret));
        assertThat(accepts(rule, hs("{\"iss\":\"me\",\"a\":\"x\",\"b\":\"y\"}"))).isTrue();
        assertThat(accepts(rule, hs("{\"iss\":\"me\",\"a\":\"x\"}"))).isFalse();
    }

    // ---------------------------------------------------------------- configuration

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{keys: {none: []}} | jwt.iss: It needs at least one issuer.",
                "{iss: me} | jwt.keys: It needs at least one algorithm with its key files.",
                "{iss: me, keys: {HS256: []}} | jwt.keys.HS256: It needs at least one file with a"
                        + " key.",
                "{iss: me, keys: {XX1: [a]}} | jwt.keys.XX1: There is no such algorithm; use RS256,"
                        + " PS256, ES256, HS256, the same with 384 or 512, or none.",
                "{iss: me, keys: {none: []}, clockSkewLeeway: -1s} | jwt.clockSkewLeeway: '-1s' is"
                        + " below zero.",
                "{iss: me, keys: {none: []}, claims: {a: '{{.channel.x}}'}} | jwt.claims.a: The"
                        + " regex has no group 'x'; write (?P<x>…) in it.",
                "{iss: me, keys: {none: []}, kid: 7} | There is no setting"
                        + " 'pubsub.channels[0].jwt.kid'; did you mean aud?"
            })
    void a_mistake_is_told(String jwt, String sentence) {
        List<String> problems =
                ReadSettings.problems(directory, "channels: [{regex: a, jwt: %s}]".formatted(jwt));
        assertThat(problems).singleElement().asString().endsWith(sentence);
    }

    @ParameterizedTest
    @CsvSource({
        "HS256, missing, does not exist",
        "HS256, empty, is empty",
        "RS256, empty, is empty",
        "RS256, secret, 'holds no public key; it must begin with -----BEGIN PUBLIC KEY----- or"
                + " -----BEGIN CERTIFICATE-----'",
        "RS256, broken, holds no public key that can be read",
        "ES256, rsa.pem, holds no key for ES256",
        "RS256, curve.pem, holds no key for RS256",
        "ES384, curve.pem, holds no key for ES384"
    })
    void a_key_file_that_cannot_be_used_stops_the_start(String algorithm, String name, String why) {
        SignedTokens.write(directory.resolve("empty"), new byte[0]);
        SignedTokens.write(
                directory.resolve("broken"),
                "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"
                        .getBytes(StandardCharsets.US_ASCII));
        SignedTokens.pem(directory.resolve("curve.pem"), SignedTokens.ec("secp256r1"));
        String channels =
                "channels: [{regex: a, jwt: {iss: me, keys: {%s: [%s]}}}]"
                        .formatted(algorithm, directory.resolve(name));
        assertThat(ReadSettings.problems(directory, channels))
                .contains(
                        "ref.yaml:1: pubsub.channels[0].jwt.keys.%s: The key file '%s' %s."
                                .formatted(algorithm, name, why));
    }
}
