package dev.millrace.hub.settings;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * What somebody wrote for a setting; no items mean the default.
 *
 * @param tree all of it, where the setting has a shape of its own; the items are then what may be
 *     shown of it
 */
record Given(List<String> items, Origin origin, @Nullable Tree tree) {
    Given(List<String> items, Origin origin) {
        this(items, origin, null);
    }

    /**
     * For a setting with a shape of its own.
     *
     * @param name of the setting, or of a part of it that the tree is
     */
    static Given of(Key<?> key, String name, Tree tree, Origin origin) {
        List<String> below =
                name.length() > key.name().length()
                        ? List.of(name.substring(key.name().length() + 1).split("\\.", -1))
                        : List.of();
        return of(key, tree.at(below), origin);
    }

    static Given of(Key<?> key, Tree tree, Origin origin) {
        String shown = TreeText.shown(tree, key.kind().hidden());
        return new Given(shown.isEmpty() ? List.of() : List.of(shown), origin, tree);
    }

    /** With more that somebody said about parts of it, which counts more. */
    Given under(Key<?> key, Given stronger) {
        return tree == null || stronger.tree == null
                ? stronger
                : of(key, tree.under(stronger.tree), stronger.origin);
    }
}
