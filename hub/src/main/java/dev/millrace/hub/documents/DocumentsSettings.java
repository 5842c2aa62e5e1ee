package dev.millrace.hub.documents;

import dev.millrace.hub.settings.Block;
import dev.millrace.hub.settings.Bytes;
import dev.millrace.hub.settings.Key;
import dev.millrace.hub.settings.Keys;
import dev.millrace.hub.settings.Kind;
import dev.millrace.hub.settings.Values;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The settings of documents.
 *
 * @param name the first segment of their paths
 * @param topic under which changes are announced by MQTT
 * @param maxBody the largest body of a request that stores documents
 * @param maxDocument the largest single document
 * @param versions how many earlier versions of a document are kept; 0 for none
 * @param versionsBytes how large those of one document may be together
 * @param versionsAfterDelete how long those of a deleted one are kept
 */
public record DocumentsSettings(
        String name,
        String topic,
        Bytes maxBody,
        Bytes maxDocument,
        int versions,
        Bytes versionsBytes,
        Duration versionsAfterDelete) {

    private static final Pattern SEGMENT = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final Pattern TOPIC = Pattern.compile("[^/#+\\x00$][^#+\\x00]{0,255}");

    private static final Key<String> NAME =
            Key.of(
                    "documents.name",
                    Kind.one(DocumentsSettings::segment),
                    "history",
                    "the first segment of the paths: /history/datastore/…");

    private static final Key<String> TOPIC_BASE =
            Key.of(
                    "documents.topic",
                    Kind.one(DocumentsSettings::topicBase),
                    "brewcast/datastore",
                    "changes are announced by MQTT under this topic, a slash and the top-level"
                            + " namespace");

    private static final Key<Bytes> MAX_BODY =
            Key.of(
                    "documents.max-body",
                    Kind.size(Bytes.of("64KiB"), Bytes.of("1GiB")),
                    "64MiB",
                    "the largest body that stores documents; a backup is restored by one such"
                            + " call");

    private static final Key<Bytes> MAX_DOCUMENT =
            Key.of(
                    "documents.max-document",
                    Kind.size(Bytes.of("1KiB"), Bytes.of("1536KiB")),
                    "1MiB",
                    "the largest single document");

    private static final Key<Integer> VERSIONS =
            Key.of(
                    "documents.versions",
                    Kind.number(0, 1000),
                    "10",
                    "how many earlier versions of a document are kept, for undo; 0 keeps none");

    private static final Key<Bytes> VERSIONS_BYTES =
            Key.of(
                    "documents.versions-bytes",
                    Kind.size(new Bytes(1), Bytes.of("64MiB")),
                    "256KiB",
                    "how large the earlier versions of one document may be together");

    private static final Key<Duration> VERSIONS_AFTER_DELETE =
            Key.of(
                    "documents.versions-after-delete",
                    Kind.time(Duration.ofSeconds(1)),
                    "30d",
                    "how long the versions of a deleted document are kept");

    static final Keys.Group KEYS =
            new Keys.Group(
                    "Documents",
                    List.of(
                            NAME,
                            TOPIC_BASE,
                            MAX_BODY,
                            MAX_DOCUMENT,
                            VERSIONS,
                            VERSIONS_BYTES,
                            VERSIONS_AFTER_DELETE));

    public static final Block<DocumentsSettings> BLOCK =
            new Block<>(KEYS, DocumentsSettings::read);

    static DocumentsSettings read(Values values) {
        return new DocumentsSettings(
                values.get(NAME),
                values.get(TOPIC_BASE),
                values.get(MAX_BODY),
                values.get(MAX_DOCUMENT),
                values.get(VERSIONS),
                values.get(VERSIONS_BYTES),
                values.get(VERSIONS_AFTER_DELETE));
    }

    private static String segment(String text) {
        if (!SEGMENT.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "'%s' is no name; use letters, digits, _ and -.".formatted(text));
        }
        return text;
    }

    private static String topicBase(String text) {
        if (!TOPIC.matcher(text).matches() || text.endsWith("/")) {
            throw new IllegalArgumentException(
                    "'%s' is no topic; use text without # and +, such as brewcast/datastore."
                            .formatted(text));
        }
        return text;
    }
}
