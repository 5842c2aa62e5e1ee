package dev.millrace.hub.history.recording;

import dev.millrace.hub.history.kept.Kept;
import dev.millrace.hub.history.series.Sample;
import dev.millrace.hub.history.series.SeriesName;
import dev.millrace.hub.history.series.SeriesName.Thing;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What is recorded, as the configuration of the service says it over the settings of the hub, and
 * how long it is kept. Immutable.
 */
public final class Rules implements Kept {
    /** Services choose by themselves what they send, and how often. */
    private static final String SERVICES = "brewblox:*";

    /** Everything there is, unless the configuration names something. */
    private static final List<String> ALL =
            List.of("comsrv:*:T", "comsrv:*:S", "model:*:measurement", SERVICES);

    private static final double SECONDS_PER_YEAR = 366 * 86_400.0;
    private static final double MOST_DAYS = 3660;
    private static final int MOST_SOURCES = 1000;

    private final boolean enabled;
    private final List<Compiled> rules;
    private final Duration keep;
    private final Duration longest;

    /** A rule that is ready to be asked. */
    private record Compiled(Rule rule, Pattern pattern, List<Pattern> allow, List<Pattern> deny) {
        static Compiled of(Rule rule) {
            return new Compiled(
                    rule,
                    Rule.glob(rule.pattern()),
                    rule.allow().stream().map(Rule::glob).toList(),
                    rule.deny().stream().map(Rule::glob).toList());
        }

        boolean takes(SeriesName series) {
            return (allow.isEmpty() || names(allow, series)) && !names(deny, series);
        }

        private static boolean names(List<Pattern> patterns, SeriesName series) {
            return patterns.stream()
                    .anyMatch(
                            each ->
                                    each.matcher(series.field()).matches()
                                            || each.matcher(series.text()).matches());
        }
    }

    private Rules(boolean enabled, List<Rule> rules, Duration keep) {
        this.enabled = enabled;
        this.rules = rules.stream().map(Compiled::of).toList();
        this.keep = keep;
        this.longest =
                rules.stream()
                        .flatMap(rule -> rule.keep().stream())
                        .max(Comparator.naturalOrder())
                        .filter(each -> each.compareTo(keep) > 0)
                        .orElse(keep);
    }

    /** What the settings say. */
    public static Rules of(RecordingSettings settings, Duration keep) {
        return new Rules(
                settings.on(),
                ALL.stream().map(pattern -> standard(settings.rule(pattern))).toList(),
                keep);
    }

    private static Rule standard(Rule rule) {
        return rule.pattern().equals(SERVICES) ? rule.with(Mode.ON_UPDATE) : rule;
    }

    /** Rules, or every sentence that says what is wrong with them. */
    public sealed interface Read {
        /** They can be used. */
        record Right(Rules rules) implements Read {}

        /** They cannot. */
        record Wrong(List<String> faults) implements Read {
            public Wrong {
                faults = List.copyOf(faults);
            }
        }
    }

    /** What the configuration says over the settings. */
    public static Read read(RecordingSettings settings, Duration keep, ObjectNode configuration) {
        Reader reader = new Reader();
        Rule base = reader.rule(settings.rule("*"), "", configuration);
        Duration kept = base.keep().orElse(keep);
        Rule common =
                new Rule(
                        base.pattern(),
                        base.mode(),
                        base.deadband(),
                        base.interval(),
                        base.maxInterval(),
                        Optional.empty(),
                        base.allow(),
                        base.deny());
        List<Rule> rules = new ArrayList<>();
        JsonNode sources = configuration.path("sources");
        if (sources.isMissingNode() || sources.isNull()) {
            ALL.forEach(pattern -> rules.add(standard(reader.named(common, pattern))));
        } else if (!sources.isArray() || sources.size() > MOST_SOURCES) {
            reader.faults.add("sources must be a list of at most %d.".formatted(MOST_SOURCES));
        } else {
            for (int i = 0; i < sources.size(); i++) {
                reader.source(common, sources.get(i), i).ifPresent(rules::add);
            }
        }
        boolean enabled = settings.on() && reader.flag(configuration);
        return reader.faults.isEmpty()
                ? new Read.Right(new Rules(enabled, rules, kept))
                : new Read.Wrong(reader.faults);
    }

    /** Reads JSON and collects what is wrong in it. */
    private static final class Reader {
        final List<String> faults = new ArrayList<>();

        Optional<Rule> source(Rule common, JsonNode source, int index) {
            String place = "sources[%d].".formatted(index);
            String pattern =
                    source.isString() ? source.stringValue() : source.path("pattern").asString("");
            if (pattern.isEmpty() || pattern.length() > 255) {
                faults.add(place + "pattern must be a text such as comsrv:*:T.");
                return Optional.empty();
            }
            Rule named = named(common, pattern);
            return Optional.of(source.isObject() ? rule(named, place, (ObjectNode) source) : named);
        }

        Rule named(Rule rule, String pattern) {
            return new Rule(
                    pattern,
                    rule.mode(),
                    rule.deadband(),
                    rule.interval(),
                    rule.maxInterval(),
                    rule.keep(),
                    rule.allow(),
                    rule.deny());
        }

        boolean flag(ObjectNode configuration) {
            JsonNode enabled = configuration.path("enabled");
            if (!enabled.isMissingNode() && !enabled.isBoolean()) {
                faults.add("enabled must be true or false.");
            }
            return enabled.asBoolean(true);
        }

        Rule rule(Rule standard, String place, ObjectNode json) {
            Mode mode = standard.mode();
            if (json.has("mode")) {
                Optional<Mode> said = Mode.of(json.path("mode").asString(""));
                if (said.isEmpty()) {
                    faults.add(place + "mode must be on_change, on_update or interval.");
                }
                mode = said.orElse(mode);
            }
            double deadband =
                    number(json, place, "deadband", 0, Double.MAX_VALUE)
                            .orElse(standard.deadband());
            return new Rule(
                    standard.pattern(),
                    mode,
                    deadband,
                    seconds(json, place, "interval").orElse(standard.interval()),
                    seconds(json, place, "max_interval").orElse(standard.maxInterval()),
                    number(json, place, "retention_days", 1.0 / 24, MOST_DAYS)
                            .map(days -> Duration.ofSeconds(Math.round(days * 86_400)))
                            .or(standard::keep),
                    texts(json, place, "allow").orElse(standard.allow()),
                    texts(json, place, "deny").orElse(standard.deny()));
        }

        private Optional<Duration> seconds(ObjectNode json, String place, String name) {
            return number(json, place, name, 0.001, SECONDS_PER_YEAR)
                    .map(seconds -> Duration.ofMillis(Math.round(seconds * 1000)));
        }

        private Optional<Double> number(
                ObjectNode json, String place, String name, double least, double most) {
            JsonNode node = json.path(name);
            if (node.isMissingNode() || node.isNull()) {
                return Optional.empty();
            }
            double number = node.isNumber() ? node.asDouble() : Double.NaN;
            if (!(number >= least && number <= most)) {
                faults.add(
                        most == Double.MAX_VALUE
                                ? "%s%s must be a number from 0.".formatted(place, name)
                                : "%s%s must be a number greater than 0, and at most %.0f."
                                        .formatted(place, name, most));
                return Optional.empty();
            }
            return Optional.of(number);
        }

        private Optional<List<String>> texts(ObjectNode json, String place, String name) {
            JsonNode node = json.path(name);
            if (node.isMissingNode() || node.isNull()) {
                return Optional.empty();
            }
            List<String> texts = new ArrayList<>();
            node.forEach(
                    each -> {
                        if (each.isString() || each.isNumber()) {
                            texts.add(each.asString());
                        }
                    });
            if (!node.isArray() || texts.size() != node.size() || texts.size() > MOST_SOURCES) {
                faults.add("%s%s must be a list of points.".formatted(place, name));
                return Optional.empty();
            }
            return Optional.of(texts);
        }
    }

    /** Whether anything is recorded at all. */
    boolean enabled() {
        return enabled;
    }

    /** How long samples are kept where no rule says otherwise. */
    Duration keep() {
        return keep;
    }

    /** The rule for a series; null if it is not recorded. */
    @Nullable Rule of(Thing thing, String kind, String field) {
        String name = thing.source() + ":" + thing.id() + ":" + kind;
        for (Compiled each : rules) {
            if (each.pattern.matcher(name).matches()) {
                return each.takes(thing.field(field)) ? each.rule : null;
            }
        }
        return null;
    }

    /** Whether a sample of a series is worth keeping after its last one. */
    public boolean wants(SeriesName series, @Nullable Sample last, Sample next) {
        Rule rule = of(series.thing(), kind(series), series.field());
        return enabled && rule != null && rule.wants(last, next);
    }

    @Override
    public Duration of(SeriesName series) {
        Rule rule = of(series.thing(), kind(series), series.field());
        return rule == null ? keep : rule.keep().orElse(keep);
    }

    private static String kind(SeriesName series) {
        return switch (series.source()) {
            case SeriesName.CHANNEL -> series.field().startsWith("S.") ? "S" : "T";
            case SeriesName.MODEL -> "measurement";
            default -> "";
        };
    }

    @Override
    public Duration longest() {
        return longest;
    }

    /** As clients read it. */
    public Map<String, Object> view() {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("enabled", enabled);
        view.put("retention_days", keep.toSeconds() / 86_400.0);
        List<Map<String, Object>> sources = new ArrayList<>();
        for (Compiled each : rules) {
            Rule rule = each.rule;
            Map<String, Object> source = new LinkedHashMap<>();
            source.put("pattern", rule.pattern());
            source.put("mode", rule.mode().word());
            source.put("deadband", rule.deadband());
            source.put("interval", rule.interval().toMillis() / 1000.0);
            source.put("max_interval", rule.maxInterval().toMillis() / 1000.0);
            source.put("retention_days", rule.keep().orElse(keep).toSeconds() / 86_400.0);
            source.put("allow", rule.allow());
            source.put("deny", rule.deny());
            sources.add(source);
        }
        view.put("sources", sources);
        return view;
    }
}
