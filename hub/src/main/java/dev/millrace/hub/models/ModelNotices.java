package dev.millrace.hub.models;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.site.ConfigurationKind;
import dev.millrace.hub.telemetry.Contributor;
import dev.millrace.hub.work.Duty;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.foreign.ForeignWrites;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.store.Cells;

import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What other programs write into models: measurements count like those of points, a configuration
 * is taken over. One hub of a site does it, and looks at what is watched every second besides.
 *
 * <p>What this hub has written itself is known, so its own writes cost a comparison.
 */
final class ModelNotices implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ModelNotices.class);
    private static final Duration SWEEP = Duration.ofSeconds(1);
    private static final String FOREIGN = "foreign";

    private final Keyspace keyspace;
    private final ModelBook book;
    private final ModelService service;
    private final ModelWrites writes;
    private final List<Contributor> contributors;
    private final InstantSource clock;
    private final Duty duty;
    private final Optional<ForeignWrites> notices;

    /** Whether this hub has looked since it has the duty; of the duty's thread alone. */
    private boolean begun;

    ModelNotices(
            Keyspace keyspace,
            ModelBook book,
            ModelService service,
            ModelWrites writes,
            List<Contributor> contributors,
            MeterRegistry figures,
            InstantSource clock) {
        this.keyspace = keyspace;
        this.book = book;
        this.service = service;
        this.writes = writes;
        this.contributors = List.copyOf(contributors);
        this.clock = clock;
        this.duty = Duty.start(keyspace, "models-looks", figures, this::sweep);
        this.notices =
                keyspace.redis().cluster()
                        ? Optional.empty()
                        : Optional.of(
                                keyspace.foreignWrites(
                                        List.of(
                                                ModelsLayouts.MODELS.pattern(),
                                                ModelsLayouts.SUBMITTED.pattern(),
                                                ModelsLayouts.MEASUREMENT.pattern(),
                                                ModelsLayouts.MAP.pattern()),
                                        this::noticed));
    }

    private void noticed(ForeignWrites.Noticed noticed) {
        boolean known =
                noticed.keysOf(ModelsLayouts.MODELS.pattern()).isEmpty()
                        && noticed.keysOf(ModelsLayouts.MAP.pattern()).isEmpty();
        if (!known) {
            book.reload();
            noticed.keysOf(ModelsLayouts.MODELS.pattern()).forEach(this::enter);
        }
        if (!duty.held()) {
            return;
        }
        for (String key : noticed.keysOf(ModelsLayouts.SUBMITTED.pattern())) {
            adopt(key.substring(ModelsLayouts.SUBMITTED.pattern().head().length()));
        }
        for (String key : noticed.keysOf(ModelsLayouts.MEASUREMENT.pattern())) {
            ModelsLayouts.MEASUREMENT
                    .valueIn(key, "model_id")
                    .flatMap(book::get)
                    .ifPresent(this::compare);
        }
    }

    /** Somebody has written an effective configuration: the index has to know it. */
    private void enter(String key) {
        String id =
                key.substring(ModelsLayouts.MODELS.pattern().head().length(), key.lastIndexOf(':'));
        if (book.get(id).isPresent() || !duty.held()) {
            return;
        }
        service.effective(id)
                .filter(each -> !each.document().has("_version"))
                .ifPresent(each -> put(id, each.document()));
    }

    private void adopt(String id) {
        service.get(id)
                .filter(each -> !each.has("_version"))
                .ifPresent(document -> put(id, document));
    }

    private void put(String id, ObjectNode document) {
        if (service.put(id, document, OptionalLong.empty(), FOREIGN)
                instanceof ConfigurationKind.Saved.Not(Refused why)) {
            log.warn(
                    "Somebody has written a model that is not used. model={} reason={}",
                    id,
                    why.message());
        }
    }

    /** What stands there, and what hubs have written. */
    private void compare(Model model) {
        Cells cells = keyspace.cells();
        var text = cells.string(ModelsLayouts.MEASUREMENT.at(model.id()));
        var signed = cells.fields(ModelsLayouts.WRITTEN.at(), List.of(model.id()));
        byte[] now = text.answer().or("").getBytes(UTF_8);
        String ours = signed.answer().or(Map.of()).getOrDefault(model.id(), "");
        if (now.length == 0 || ModelWrites.fingerprint(now).equals(ours)) {
            return;
        }
        ModelState before = writes.state(model);
        writes.forget(model.id());
        ModelState after = writes.state(model);
        byte[] raw = after.raw();
        if (raw == null || ModelWrites.fingerprint(raw).equals(ours)) {
            return; // A hub has written between the two looks.
        }
        Set<String> changed = new LinkedHashSet<>();
        after.values()
                .properties()
                .forEach(
                        each -> {
                            if (!Objects.equals(
                                    each.getValue(), before.values().get(each.getKey()))) {
                                changed.add(each.getKey());
                            }
                        });
        if (changed.isEmpty()) {
            // Nobody remembers what it was before.
            after.values().propertyNames().forEach(changed::add);
        }
        if (!changed.isEmpty()) {
            writes.foreign(model, changed, clock.instant(), ours);
        }
    }

    private Duration sweep(Duty.Turn turn) {
        boolean first = !begun;
        Set<String> sources = new LinkedHashSet<>();
        contributors.forEach(each -> sources.addAll(each.sources()));
        for (String source : sources) {
            if (!turn.mine()) {
                break;
            }
            if (source.startsWith("model:") && source.endsWith(":measurement")) {
                String id =
                        source.substring(
                                "model:".length(), source.length() - ":measurement".length());
                if (first) {
                    lookAt(writes, book.get(id), watched(source));
                } else {
                    book.get(id).ifPresent(this::compare);
                }
            }
        }
        begun = turn.mine();
        return SWEEP;
    }

    private Set<String> watched(String source) {
        Set<String> all = new LinkedHashSet<>();
        contributors.forEach(each -> all.addAll(each.watched(source)));
        return all;
    }

    /** Looks at what stands there as if it had been written now; does not wait. */
    static void lookAt(@Nullable ModelWrites writes, Optional<Model> model, Set<String> fields) {
        if (writes == null || model.isEmpty()) {
            return;
        }
        Instant now = Instant.now();
        Thread.startVirtualThread(
                () -> {
                    try {
                        writes.forget(model.get().id());
                        writes.look(model.get(), fields, now);
                    } catch (RedisException e) {
                        log.warn(
                                "A model could not be looked at. model={} reason={}",
                                model.get().id(),
                                e.getMessage());
                    }
                });
    }

    @Override
    public void close() {
        notices.ifPresent(ForeignWrites::close);
        duty.close();
    }
}
