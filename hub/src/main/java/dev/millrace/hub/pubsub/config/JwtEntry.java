package dev.millrace.hub.pubsub.config;

import com.google.re2j.Matcher;

import dev.millrace.hub.pubsub.jwt.JwtKey;
import dev.millrace.hub.pubsub.jwt.JwtKeys;
import dev.millrace.hub.pubsub.jwt.JwtRule;
import dev.millrace.hub.settings.Section;
import dev.millrace.hub.settings.Tree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the configuration says about tokens, before it is filled in for a channel. */
record JwtEntry(
        List<String> issuers,
        List<String> audiences,
        JwtKeys keys,
        Map<String, List<ChannelTemplate>> claims,
        Duration leeway) {

    private static final Duration LEEWAY = Duration.ofMinutes(5);

    static JwtEntry read(Section section, Set<String> groups) {
        List<String> issuers = section.oneOrMore("iss", Tree.Plain::text);
        if (issuers.isEmpty()) {
            section.problem("iss", "It needs at least one issuer.");
        }
        List<String> audiences = section.oneOrMore("aud", Tree.Plain::text);
        JwtKeys keys = new JwtKeys(keys(section));
        Section given = section.section("claims");
        Map<String, List<ChannelTemplate>> claims = new LinkedHashMap<>();
        for (String claim : given.names()) {
            claims.put(
                    claim,
                    given.oneOrMore(claim, plain -> ChannelTemplate.of(plain.text(), groups)));
        }
        Duration leeway = new AllowedValues(section).notNegative("clockSkewLeeway", LEEWAY);
        section.end();
        return new JwtEntry(issuers, audiences, keys, claims, leeway);
    }

    private static Map<String, List<JwtKey>> keys(Section section) {
        Section given = section.section("keys");
        Map<String, List<JwtKey>> keys = new LinkedHashMap<>();
        for (String algorithm : given.names()) {
            if (!algorithm.equals(JwtKeys.NONE) && !JwtKey.isAlgorithm(algorithm)) {
                given.problem(
                        algorithm,
                        "There is no such algorithm; use RS256, PS256, ES256, HS256, the same with"
                                + " 384 or 512, or none.");
                continue;
            }
            List<JwtKey> files = given.list(algorithm, plain -> key(algorithm, plain.text()));
            keys.put(algorithm, files);
            if (algorithm.equals(JwtKeys.NONE) && !files.isEmpty()) {
                given.problem(algorithm, "Tokens that nobody signs need no key; write [].");
            } else if (!algorithm.equals(JwtKeys.NONE) && files.isEmpty()) {
                given.problem(algorithm, "It needs at least one file with a key.");
            }
        }
        if (given.names().isEmpty()) {
            section.problem("keys", "It needs at least one algorithm with its key files.");
        }
        return keys;
    }

    private static JwtKey key(String algorithm, String file) {
        if (algorithm.equals(JwtKeys.NONE)) {
            throw new IllegalArgumentException("Tokens that nobody signs need no key; write [].");
        }
        String wrong;
        try {
            return JwtKey.of(algorithm, Files.readAllBytes(Path.of(file)));
        } catch (NoSuchFileException e) {
            wrong = "does not exist";
        } catch (IOException e) {
            wrong = "cannot be read; look at its owner and mode";
        } catch (InvalidPathException e) {
            wrong = "is not a valid path";
        } catch (IllegalArgumentException e) {
            wrong = String.valueOf(e.getMessage());
        }
        throw new IllegalArgumentException("The key file '%s' %s.".formatted(file, wrong));
    }

    JwtRule of(Matcher channel) {
        Map<String, List<String>> filled = new LinkedHashMap<>();
        claims.forEach(
                (claim, values) ->
                        filled.put(
                                claim,
                                values.stream().map(value -> value.filled(channel)).toList()));
        return new JwtRule(issuers, audiences, keys, filled, leeway);
    }
}
