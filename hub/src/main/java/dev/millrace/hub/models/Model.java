package dev.millrace.hub.models;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * A model as it is worked with.
 *
 * @param members in the order in which they can be worked out
 * @param template empty if it is made from none
 */
record Model(
        String id,
        String name,
        String type,
        String template,
        Map<String, Member> members,
        Map<String, ActionPoint> actions) {

    /**
     * What an action sets.
     *
     * @param least empty if nothing is too little
     */
    record ActionPoint(Member.Point point, OptionalDouble least, OptionalDouble most) {}

    /** The key that alarm rules watch. */
    String source() {
        return source(id);
    }

    static String source(String id) {
        return "model:" + id + ":measurement";
    }

    /** All points that it reads. */
    Set<Member.Point> inputs() {
        Set<Member.Point> inputs = new LinkedHashSet<>();
        for (Member each : members.values()) {
            switch (each) {
                case Member.Mapped mapped -> inputs.add(mapped.point());
                case Member.Aggregate aggregate -> inputs.addAll(aggregate.sources());
                case Member.Computed computed -> {}
            }
        }
        return inputs;
    }

    /** Which measurements are copies of which point, as the map has it: reference to targets. */
    Map<String, List<String>> targets() {
        Map<String, List<String>> targets = new LinkedHashMap<>();
        members.forEach(
                (name, member) -> {
                    if (member instanceof Member.Mapped mapped) {
                        targets.computeIfAbsent(
                                        mapped.point().reference(), key -> new ArrayList<>())
                                .add(source() + ":" + name);
                    }
                });
        return targets;
    }
}
