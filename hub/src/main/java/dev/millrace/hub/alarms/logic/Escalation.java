package dev.millrace.hub.alarms.logic;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** How the level of an alarm rises while it stays. */
public record Escalation(List<Step> steps) {
    public static final Escalation NONE = new Escalation(List.of());
    private static final int MOST = 10;

    /**
     * One rise.
     *
     * @param after ms since it was triggered
     * @param unlessAcknowledged an acknowledgement keeps it from happening
     */
    public record Step(long after, Level to, boolean unlessAcknowledged) {}

    public Escalation {
        steps = List.copyOf(steps);
    }

    /** The step that comes after so many were done. */
    public Optional<Step> after(int done) {
        return done < steps.size() ? Optional.of(steps.get(done)) : Optional.empty();
    }

    static Escalation of(JsonNode json) {
        if (!json.isArray() || json.size() > MOST) {
            throw new IllegalArgumentException(
                    "escalate must be a list of at most 10 steps {after, to_level, unless}");
        }
        List<Step> steps = new ArrayList<>();
        for (JsonNode each : json) {
            double after = each.path("after").asDouble(-1);
            Level to =
                    Level.of(each.path("to_level").asString(""))
                            .orElseThrow(
                                    () ->
                                            new IllegalArgumentException(
                                                    "escalate: to_level must be a level"));
            String unless = each.path("unless").asString("");
            if (!(after > 0 && after < 1e9)
                    || !(unless.isEmpty() || unless.equals("acknowledged"))) {
                throw new IllegalArgumentException(
                        "escalate: after must be a positive number of seconds, and unless may only"
                                + " be acknowledged");
            }
            steps.add(new Step(Math.round(after * 1000), to, !unless.isEmpty()));
        }
        steps.sort(Comparator.comparingLong(Step::after));
        return new Escalation(steps);
    }
}
