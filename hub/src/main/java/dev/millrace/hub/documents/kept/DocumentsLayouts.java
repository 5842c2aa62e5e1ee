package dev.millrace.hub.documents.kept;

import dev.millrace.hub.keys.KeyGrammars;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;

import java.util.List;

/** The keys of documents: whatever nobody else claims. */
public final class DocumentsLayouts {
    public static final Layout<Document> DOCUMENTS =
            Layout.json("{key:document}", Document.class, new Document.AsWritten(), KeyGrammars.ALL)
                    .about("A JSON object under namespace:id, or under its id alone.")
                    .ownedBy("top-level namespace", DocumentsLayouts::topLevelNamespace)
                    .rest()
                    .adopting(Document::saysItsKey)
                    .kind("millrace:documents")
                    .sorted("millrace:documents", 0);

    private static final Cell VERSIONS =
            Cell.of(KeyType.LIST, "millrace:documents:versions:{key:document}", KeyGrammars.ALL)
                    .livesBeside("top-level namespace", DOCUMENTS, "key")
                    .about(
                            "What a document was before, the newest first: JSON with until (ms) and"
                                    + " value.");

    private DocumentsLayouts() {}

    public static List<Declaration> all() {
        return List.of(DOCUMENTS, VERSIONS);
    }

    /** Where the earlier versions of a document are. */
    public static Cell.Key versionsOf(String key) {
        return VERSIONS.of(topLevelNamespace(key), key);
    }

    /** What stands before the first colon; a key without one is its own. */
    public static String topLevelNamespace(String key) {
        int colon = key.indexOf(':');
        return colon < 0 ? key : key.substring(0, colon);
    }
}
