package dev.millrace.hub.keys;

import static dev.millrace.keyspace.pattern.Grammar.anyBut;
import static dev.millrace.keyspace.pattern.Grammar.chars;
import static dev.millrace.keyspace.pattern.Grammar.literal;
import static dev.millrace.keyspace.pattern.Grammar.oneOf;

import dev.millrace.keyspace.pattern.Grammar;
import dev.millrace.keyspace.pattern.Grammars;

import java.util.List;

/**
 * The grammars of the rooms' key patterns, beside the library's own. Each is as tight as the key
 * descriptions allow, for what it lets through it reserves; rules that need more than a regular
 * language, or that a description's own examples break, are the rooms' business. Immutable.
 */
public final class KeyGrammars {
    private static final Grammar DIGITS_AFTER_THE_FIRST = chars("0-9").optional();

    /** ASCII that a document's path cannot contain: controls and most punctuation, but not : */
    private static final String NOT_IN_A_DOCUMENT = "\0-\37!-'*-,/;-@[-^`{-}\177";

    /** In the order in which the key reference explains them. */
    public static final List<Grammar> OWN =
            List.of(
                    oneOf("1-9")
                            .then(DIGITS_AFTER_THE_FIRST)
                            .atMost(10)
                            .named("channel", "a number from 1, without leading zeros"),
                    literal("0")
                            .or(oneOf("1-9").then(DIGITS_AFTER_THE_FIRST))
                            .atMost(19)
                            .named("count", "a number from 0, without leading zeros"),
                    oneOf("a-zA-Z0-9")
                            .then(chars("a-zA-Z0-9_.-").optional())
                            .atMost(128)
                            .named(
                                    "shortname",
                                    "letters, digits and _ . -, beginning with a letter or digit"),
                    anyBut(":").atMost(255).named("segment", "text without :"),
                    chars("A-Z_").atMost(64).named("constant", "capital letters and _"),
                    chars("a-z0-9_")
                            .atMost(64)
                            .named("protocol", "lower-case letters, digits and _"),
                    literal("comsrv").or(literal("brewblox")).named("origin", "comsrv or brewblox"),
                    oneOf("0-9").times(10).named("hourstamp", "an hour as yyyyMMddHH"),
                    oneOf("01")
                            .then(oneOf("0-9"))
                            .or(literal("2").then(oneOf("0-3")))
                            .named("hourofday", "an hour of a day, 00 to 23"),
                    // Capital letters, which its interface refuses, are in the description's
                    // example.
                    oneOf("a-zA-Z0-9")
                            .then(chars("a-zA-Z0-9_-").optional())
                            .atMost(63)
                            .named(
                                    "messagename",
                                    "letters, digits, _ and -, beginning with a letter or digit"),
                    chars("a-zA-Z0-9_-").atMost(128).named("opaque", "letters, digits, _ and -"),
                    anyBut("\0-\37\177")
                            .atMost(1024)
                            .named("item", "text without control characters"),
                    anyBut(NOT_IN_A_DOCUMENT)
                            .optional()
                            .then(literal(":"))
                            .optional()
                            .then(anyBut(NOT_IN_A_DOCUMENT + ":"))
                            .atMost(1024)
                            .named(
                                    "document",
                                    "letters of any script, digits, blanks and _ . ~ - ( ), with :"
                                            + " inside, the last part not empty"));

    public static final Grammars ALL = Grammars.standard().with(OWN.toArray(Grammar[]::new));

    private KeyGrammars() {}
}
