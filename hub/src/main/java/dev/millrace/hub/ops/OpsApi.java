package dev.millrace.hub.ops;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.keyspace.doctor.Doctor;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.memory.MemoryReport;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** What an admin may look at: doctor, catalogue, settings. */
final class OpsApi {
    private final List<Ops.RoomKeys> rooms;
    private final List<Ops.SettingView> settings;
    private final Supplier<List<Doctor.Advice>> doctor;
    private final Supplier<Optional<MemoryReport>> counts;

    OpsApi(
            List<Ops.RoomKeys> rooms,
            List<Ops.SettingView> settings,
            Supplier<List<Doctor.Advice>> doctor,
            Supplier<Optional<MemoryReport>> counts) {
        this.rooms = List.copyOf(rooms);
        this.settings = List.copyOf(settings);
        this.doctor = doctor;
        this.counts = counts;
    }

    /**
     * One thing that was looked at.
     *
     * @param level {@code good}, {@code warning} or {@code bad}
     * @param type what to type to mend it; empty where typing does not help
     */
    record Advice(String level, String server, String sentence, String type) {}

    /** What the doctor says. */
    record Diagnosis(boolean good, List<Advice> advice) {}

    /**
     * One pattern of keys.
     *
     * @param role {@code value}, {@code index} or {@code cell}
     */
    record KeyView(String pattern, String type, String role, String member, String score) {}

    /**
     * What is declared, and how much of it there was at the last measurement.
     *
     * @param count keys; none if it was not measured, or not asked for
     */
    record DeclarationView(
            String name,
            String about,
            List<KeyView> patterns,
            Optional<Long> count,
            Optional<Long> bytes) {}

    record RoomView(String name, String about, List<DeclarationView> declarations) {}

    /**
     * Every key there can be.
     *
     * @param counted when the counts were taken, by {@code POST /ops/memory}
     * @param unknown keys that nobody declares
     */
    record CatalogueView(Optional<Instant> counted, Optional<Long> unknown, List<RoomView> rooms) {}

    record SettingsView(List<Ops.SettingView> settings) {}

    List<Route> routes() {
        return List.of(
                Route.get("/ops/doctor")
                        .needs(Role.ADMIN, "ops")
                        .about("Is this Redis safe and suitable, and what to type if not.")
                        .gives(Diagnosis.class)
                        .by(this::diagnose),
                Route.get("/ops/catalogue")
                        .needs(Role.ADMIN, "ops")
                        .about("Every key layout, room by room.")
                        .parameter("counts", "true adds keys and bytes of the last measurement")
                        .gives(CatalogueView.class)
                        .by(this::catalogue),
                Route.get("/ops/settings")
                        .needs(Role.ADMIN, "ops")
                        .about("Every setting, its value and where it comes from; no secrets.")
                        .gives(SettingsView.class)
                        .by(request -> Answer.json(new SettingsView(settings))));
    }

    private Answer diagnose(Request request) {
        List<Advice> advice =
                doctor.get().stream()
                        .map(
                                each ->
                                        new Advice(
                                                word(each.level()),
                                                each.server(),
                                                each.sentence(),
                                                each.type()))
                        .toList();
        boolean good = advice.stream().noneMatch(each -> each.level().equals("bad"));
        return Answer.json(new Diagnosis(good, advice));
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private Answer catalogue(Request request) {
        Optional<MemoryReport> report =
                request.query("counts").filter("true"::equals).flatMap(asked -> counts.get());
        Map<String, MemoryReport.Part> parts = new HashMap<>();
        report.ifPresent(all -> all.parts().forEach(part -> parts.put(part.name(), part)));
        List<RoomView> shown = new ArrayList<>();
        for (Ops.RoomKeys room : rooms) {
            shown.add(
                    new RoomView(
                            room.name(),
                            room.about(),
                            room.declarations().stream()
                                    .map(each -> view(each, report.isPresent(), parts))
                                    .toList()));
        }
        return Answer.json(
                new CatalogueView(
                        report.map(MemoryReport::at),
                        report.map(all -> keys(parts.get(""))),
                        shown));
    }

    private static long keys(MemoryReport.@org.jspecify.annotations.Nullable Part part) {
        return part == null ? 0 : part.keys();
    }

    private static DeclarationView view(
            Declaration declaration, boolean counted, Map<String, MemoryReport.Part> parts) {
        MemoryReport.Part part = parts.get(declaration.name());
        return new DeclarationView(
                declaration.name(),
                declaration.about(),
                declaration.spots().stream()
                        .map(
                                spot ->
                                        new KeyView(
                                                spot.pattern().text(),
                                                spot.type().words(),
                                                word(spot.role()),
                                                spot.member(),
                                                spot.score()))
                        .toList(),
                counted ? Optional.of(keys(part)) : Optional.empty(),
                counted ? Optional.of(part == null ? 0L : part.bytes()) : Optional.empty());
    }
}
