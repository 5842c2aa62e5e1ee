package dev.millrace.hub.readings;

import dev.millrace.hub.readings.metadata.LastReports;
import dev.millrace.hub.readings.metadata.Metadata;
import dev.millrace.hub.readings.arriving.NewEvent;
import dev.millrace.hub.readings.arriving.NewReading;
import dev.millrace.hub.readings.kept.Reading;
import dev.millrace.hub.readings.kept.ValueDescriptor;

import dev.millrace.hub.edgex.EdgexErrors;
import dev.millrace.hub.http.Answer;

import java.util.List;
import java.util.Optional;

/**
 * What is looked at before an event or a reading is taken, where the settings want it: whether its
 * device is known to the metadata service, and whether its values are what their value descriptors
 * say. A refusal is the answer to the client, and ends the matter; the reference answers and goes
 * on all the same. Off, nothing here costs anything; on, it waits for others ({@link #mayBlock}).
 */
final class Checks {
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final int ERROR = 500;

    private final boolean values;
    private final boolean devices;
    private final ValueDescriptors descriptors;
    private final Metadata metadata;
    private final LastReports reports;

    Checks(
            ReadingsSettings settings,
            ValueDescriptors descriptors,
            Metadata metadata,
            LastReports reports) {
        this.values = settings.validate();
        this.devices = settings.metadata().check();
        this.descriptors = descriptors;
        this.metadata = metadata;
        this.reports = reports;
    }

    /** Whether a check asks somebody, and so must not be made on a thread that others wait for. */
    boolean mayBlock() {
        return values || devices;
    }

    /** Why an event is not taken; its device comes first, then its readings in their order. */
    Optional<Answer> refusal(NewEvent sent) {
        return ofDevice(sent.event().device())
                .or(
                        () ->
                                ofValues(
                                        sent.readings().stream().map(NewReading::reading).toList(),
                                        NOT_FOUND));
    }

    /** Why a reading that comes by itself is not taken. */
    Optional<Answer> refusal(Reading sent) {
        Optional<Answer> refusal = sent.hasDevice() ? ofDevice(sent.device()) : Optional.empty();
        return refusal.or(() -> ofChange(sent));
    }

    /** Why a reading cannot become this one. */
    Optional<Answer> ofChange(Reading after) {
        return ofValues(List.of(after), CONFLICT);
    }

    /** Why a device is not one; as the metadata service says, or 500 if it cannot be asked. */
    Optional<Answer> ofDevice(String device) {
        return ofDevice(device, ERROR);
    }

    /**
     * The same.
     *
     * @param whenAway the status if the metadata service cannot be asked
     */
    Optional<Answer> ofDevice(String device, int whenAway) {
        if (!devices) {
            return Optional.empty();
        }
        return switch (metadata.check(device)) {
            case Metadata.Reply.Known<String> known -> Optional.empty();
            case Metadata.Reply.Refused<String> refused -> Optional.of(refused.answer(whenAway));
        };
    }

    /** Why an event cannot get another device: the same, and always 500. */
    Optional<Answer> ofNewDevice(String device) {
        return ofDevice(device).map(answer -> new Answer(ERROR, answer.headers(), answer.body()));
    }

    /**
     * Why readings of this name cannot be asked for: there is no value descriptor for it.
     *
     * @param status what that is called there
     */
    Optional<Answer> ofName(String name, int status) {
        return values && descriptors.find(name).isEmpty()
                ? Optional.of(
                        EdgexErrors.answer(
                                status,
                                "There is no value descriptor with name '%s'.".formatted(name)))
                : Optional.empty();
    }

    private Optional<Answer> ofValues(List<Reading> readings, int whenUnknown) {
        if (!values || readings.isEmpty()) {
            return Optional.empty();
        }
        List<Optional<ValueDescriptor>> found =
                descriptors.find(readings.stream().map(Reading::name).toList());
        for (int i = 0; i < readings.size(); i++) {
            Reading reading = readings.get(i);
            if (found.get(i).isEmpty()) {
                return Optional.of(
                        EdgexErrors.answer(
                                whenUnknown,
                                "Value descriptor not found for reading '%s'."
                                        .formatted(reading.name())));
            }
            Optional<String> problem = ValueCheck.problem(found.get(i).get(), reading.value());
            if (problem.isPresent()) {
                return problem.map(why -> EdgexErrors.answer(BAD_REQUEST, why));
            }
        }
        return Optional.empty();
    }

    /** A device has reported, and what it reported was taken. Never waits. */
    void taken(String device) {
        reports.noted(device);
    }
}
