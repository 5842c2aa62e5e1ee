package dev.millrace.hub.documents;

import dev.millrace.hub.documents.kept.DocumentWrites;
import dev.millrace.hub.settings.Block;
import dev.millrace.hub.settings.Bytes;
import dev.millrace.hub.settings.Setting;

import java.time.Duration;
import java.util.regex.Pattern;

/** The settings of documents. */
public record DocumentsSettings(
        @Setting(
                        about = "the first segment of the paths: /history/datastore/…",
                        standard = "history",
                        by = "segment")
                String name,
        @Setting(
                        about =
                                "changes are announced by MQTT under this topic, a slash and the"
                                        + " top-level namespace",
                        standard = "brewcast/datastore",
                        by = "topicBase")
                String topic,
        @Setting(
                        about =
                                "the largest body that stores documents; a backup is restored by"
                                        + " one such call",
                        standard = "64MiB",
                        least = "64KiB",
                        most = "1GiB")
                Bytes maxBody,
        @Setting(
                        about = "the largest single document",
                        standard = "1MiB",
                        least = "1KiB",
                        most = "1536KiB")
                Bytes maxDocument,
        @Setting(
                        about =
                                "how many earlier versions of a document are kept, for undo; 0"
                                        + " keeps none",
                        standard = "10",
                        least = "0",
                        most = "1000")
                int versions,
        @Setting(
                        about = "how large the earlier versions of one document may be together",
                        standard = "256KiB",
                        least = "1",
                        most = "64MiB")
                Bytes versionsBytes,
        @Setting(
                        about = "how long the versions of a deleted document are kept",
                        standard = "30d",
                        least = "1s")
                Duration versionsAfterDelete) {

    private static final Pattern SEGMENT = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final Pattern TOPIC = Pattern.compile("[^/#+\\x00$][^#+\\x00]{0,255}");

    public static final Block<DocumentsSettings> BLOCK =
            Block.of("documents", "Documents", DocumentsSettings.class);

    static String segment(String text) {
        if (!SEGMENT.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "'%s' is not a valid name; use letters, digits, _ and -.".formatted(text));
        }
        return text;
    }

    static String topicBase(String text) {
        if (!TOPIC.matcher(text).matches() || text.endsWith("/")) {
            throw new IllegalArgumentException(
                    "'%s' is not a valid topic; use text without # and +, such as brewcast/datastore."
                            .formatted(text));
        }
        return text;
    }

    /** How much of what a document was before is kept. */
    DocumentWrites.Versions kept() {
        return new DocumentWrites.Versions(versions, versionsBytes.count(), versionsAfterDelete);
    }
}
