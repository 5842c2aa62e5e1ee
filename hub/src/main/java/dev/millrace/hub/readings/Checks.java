package dev.millrace.hub.readings;

import dev.millrace.hub.readings.arriving.NewEvent;
import dev.millrace.hub.readings.arriving.NewEvent.NewReading;
import dev.millrace.hub.readings.arriving.Refused;
import dev.millrace.hub.readings.kept.Reading;
import dev.millrace.hub.readings.kept.ValueDescriptor;
import dev.millrace.hub.readings.metadata.LastReports;
import dev.millrace.hub.readings.metadata.Metadata;

import java.util.List;
import java.util.Optional;

/**
 * What is looked at before an event or a reading is taken, where the settings want it: whether its
 * device is known to the metadata service, and whether its values are what their value descriptors
 * say. A refusal ends the matter; the reference tells the client and goes on all the same. Off,
 * nothing here costs anything; on, it waits for others.
 */
final class Checks {
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

    /** Whether there are any, each of which asks somebody. */
    boolean asked() {
        return values || devices;
    }

    /** Why an event is not taken; its device comes first, then its readings in their order. */
    Optional<Refused> refusal(NewEvent sent) {
        if (!asked()) {
            return Optional.empty();
        }
        return ofDevice(sent.event().device())
                .or(() -> ofValues(sent.readings().stream().map(NewReading::reading).toList()));
    }

    /** Why a reading that comes by itself is not taken. */
    Optional<Refused> refusal(Reading sent) {
        Optional<Refused> refusal = sent.hasDevice() ? ofDevice(sent.device()) : Optional.empty();
        return refusal.or(() -> ofChange(sent));
    }

    /** Why a reading cannot become this one. */
    Optional<Refused> ofChange(Reading after) {
        return ofValues(List.of(after));
    }

    /** Why a device is not one. */
    Optional<Refused> ofDevice(String device) {
        if (!devices) {
            return Optional.empty();
        }
        return switch (metadata.check(device)) {
            case Metadata.Reply.Known<String> known -> Optional.empty();
            case Metadata.Reply.Refused<String>(Metadata.Why why) ->
                    Optional.of(new Refused.NoDevice(why));
        };
    }

    /** Why readings of this name cannot be asked for: there is no value descriptor for it. */
    Optional<Refused> ofName(String name) {
        return values && descriptors.find(name).isEmpty()
                ? Optional.of(
                        new Refused.Undescribed(
                                "There is no value descriptor with name '%s'.".formatted(name)))
                : Optional.empty();
    }

    private Optional<Refused> ofValues(List<Reading> readings) {
        if (!values || readings.isEmpty()) {
            return Optional.empty();
        }
        List<Optional<ValueDescriptor>> found =
                descriptors.find(readings.stream().map(Reading::name).toList());
        for (int i = 0; i < readings.size(); i++) {
            Reading reading = readings.get(i);
            if (found.get(i).isEmpty()) {
                return Optional.of(
                        new Refused.Undescribed(
                                "Value descriptor not found for reading '%s'."
                                        .formatted(reading.name())));
            }
            Optional<String> problem = ValueCheck.problem(found.get(i).get(), reading.value());
            if (problem.isPresent()) {
                return problem.map(Refused.Invalid::new);
            }
        }
        return Optional.empty();
    }

    /** A device has reported, and what it reported was taken. Never waits. */
    void taken(String device) {
        reports.noted(device);
    }
}
