package dev.millrace.hub.settings;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What stands below a setting that has a shape of its own, such as a list of channels with rules
 * inside rules. Every part knows where it was written, so that a sentence about it can say so; a
 * feature reads it with a {@link Section}.
 */
public sealed interface Tree {

    /** Where it was written. */
    Origin place();

    /** Names with what they stand for, in their order. */
    record Group(Map<String, Tree> members, Origin place) implements Tree {
        public Group {
            members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
        }
    }

    record Items(List<Tree> items, Origin place) implements Tree {
        public Items {
            items = List.copyOf(items);
        }
    }

    /**
     * One value, as it was written.
     *
     * @param number whether it is a number and not a text of digits
     */
    record Plain(String text, boolean number, Origin place) implements Tree {}

    /** Nothing, which means the default. */
    record Nothing(Origin place) implements Tree {}

    /** This with what another one says instead: groups are joined, all else is replaced. */
    default Tree under(Tree stronger) {
        if (!(this instanceof Group(var own, var place)
                && stronger instanceof Group(var more, _))) {
            return stronger;
        }
        Map<String, Tree> all = new LinkedHashMap<>(own);
        more.forEach((name, tree) -> all.merge(name, tree, Tree::under));
        return new Group(all, place);
    }

    /** This below names: {@code at(retry, count)} makes {@code {retry: {count: this}}}. */
    default Tree at(List<String> names) {
        Tree tree = this;
        for (String name : names.reversed()) {
            tree = new Group(Map.of(name, tree), place());
        }
        return tree;
    }
}
