package dev.millrace.hub.documents.kept;

import dev.millrace.keyspace.store.ByteStore;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Namespaces that say nothing about whose they are. They are allowed, but sooner or later two
 * programs take the same one, and each finds documents that it does not know.
 */
public final class GeneralNames {
    private static final List<String> NAMES =
            List.of("_", "config", "configuration", "data", "default", "settings", "state", "test");

    private GeneralNames() {}

    public static List<String> advice(ByteStore documents) {
        List<String> advice = new ArrayList<>();
        for (String name : NAMES) {
            int[] count = {0};
            documents.range(
                    Optional.of(name),
                    name,
                    false,
                    item -> {
                        if (DocumentsLayouts.topLevelNamespace(item.id()).equals(name)) {
                            count[0]++;
                        }
                    });
            if (count[0] > 0) {
                advice.add(
                        ("The namespace '%s' (documents: %d) is too general: another program may"
                                        + " take the same one. Use a name of your own, such as"
                                        + " 'brewery-%s'.")
                                .formatted(name, count[0], name));
            }
        }
        return advice;
    }
}
