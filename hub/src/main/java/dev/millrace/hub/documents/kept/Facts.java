package dev.millrace.hub.documents.kept;

import tools.jackson.databind.JsonNode;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;

/**
 * What is announced of a change: {@code {"namespace":"a","changed":[…]}}, or {@code deleted} with
 * the keys. Without its first member it is, byte for byte, the message that subscribers get.
 */
public final class Facts {
    private static final String HEAD = "{\"namespace\":";

    /** What stands around the namespace and the documents. */
    private static final int AROUND = 64;

    private Facts() {}

    public static byte[] changed(String namespace, Collection<Document> documents) {
        int room = AROUND + 2 * namespace.length();
        for (Document document : documents) {
            room += document.json().length + 1;
        }
        ByteArrayOutputStream fact = begin(namespace, room);
        fact.writeBytes(ascii("\"changed\":["));
        boolean first = true;
        for (Document document : documents) {
            if (!first) {
                fact.write(',');
            }
            first = false;
            fact.writeBytes(document.json());
        }
        fact.writeBytes(ascii("]}"));
        return fact.toByteArray();
    }

    static byte[] deleted(String namespace, List<String> keys) {
        ByteArrayOutputStream fact = begin(namespace, 256);
        fact.writeBytes(ascii("\"deleted\":"));
        fact.writeBytes(Document.MAPPER.writeValueAsBytes(keys));
        fact.write('}');
        return fact.toByteArray();
    }

    private static ByteArrayOutputStream begin(String namespace, int room) {
        ByteArrayOutputStream fact = new ByteArrayOutputStream(room);
        fact.writeBytes(ascii(HEAD));
        fact.writeBytes(Document.MAPPER.writeValueAsBytes(namespace));
        fact.write(',');
        return fact;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** The top-level namespace that a fact is about. */
    public static String namespace(byte[] fact) {
        return Document.MAPPER.readValue(
                fact, HEAD.length(), endOfNamespace(fact) - HEAD.length(), String.class);
    }

    /** What subscribers get. */
    public static byte[] message(byte[] fact) {
        int from = endOfNamespace(fact);
        byte[] message = new byte[fact.length - from];
        System.arraycopy(fact, from, message, 0, message.length);
        message[0] = '{'; // in the place of the comma
        return message;
    }

    public static JsonNode tree(byte[] fact) {
        return Document.MAPPER.readTree(fact);
    }

    private static int endOfNamespace(byte[] fact) {
        int at = HEAD.length() + 1;
        while (fact[at] != '"') {
            at += fact[at] == '\\' ? 2 : 1;
        }
        return at + 1;
    }
}
