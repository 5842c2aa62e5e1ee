package dev.millrace.hub.settings;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All settings there are, in the order in which people read them. */
public final class Keys {
    private final List<Group> groups;
    private final Map<String, Key<?>> byName = new LinkedHashMap<>();
    private final Map<String, Key<?>> byVariable = new LinkedHashMap<>();

    /** The settings of one feature, with a sentence about it. */
    public record Group(String about, List<Key<?>> keys) {
        public Group {
            keys = List.copyOf(keys);
        }
    }

    public Keys(List<Group> groups) {
        this.groups = List.copyOf(groups);
        for (Group group : groups) {
            for (Key<?> key : group.keys()) {
                if (byName.put(key.name(), key) != null
                        || byVariable.put(key.variable(), key) != null) {
                    throw new IllegalArgumentException(key.name() + " is declared twice");
                }
            }
        }
        byName.keySet().stream()
                .filter(this::isGroup)
                .forEach(
                        name -> {
                            throw new IllegalArgumentException(
                                    name + " is a setting and a group of settings");
                        });
    }

    public List<Group> groups() {
        return groups;
    }

    public List<Key<?>> all() {
        return List.copyOf(byName.values());
    }

    @Nullable Key<?> named(String name) {
        return byName.get(name);
    }

    /** The setting of this name, or the one whose tree holds it. */
    @Nullable Key<?> holding(String name) {
        Key<?> key = byName.get(name);
        String above = name;
        while (key == null && above.indexOf('.') > 0) {
            above = above.substring(0, above.lastIndexOf('.'));
            Key<?> holder = byName.get(above);
            key = holder != null && holder.kind().form() == Kind.Form.TREE ? holder : null;
        }
        return key;
    }

    @Nullable Key<?> ofVariable(String variable) {
        return byVariable.get(variable);
    }

    /** Whether there are settings below this name. */
    boolean isGroup(String name) {
        return byName.keySet().stream().anyMatch(each -> each.startsWith(name + "."));
    }

    List<String> names() {
        return new ArrayList<>(byName.keySet());
    }

    List<String> variables() {
        return new ArrayList<>(byVariable.keySet());
    }
}
