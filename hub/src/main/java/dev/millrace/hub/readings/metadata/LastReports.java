package dev.millrace.hub.readings.metadata;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Tells the metadata service when devices last reported. Whoever posts an event never waits for
 * that: the device is noted, and one thread tells what was noted. Of a device only its newest
 * report counts; when too many devices wait, the one that waits longest is dropped and counted, as
 * it will report again. Nothing of it outlives the hub, because a restart changes no such time.
 */
public final class LastReports implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LastReports.class);

    private final Metadata metadata;
    private final boolean ofDevices;
    private final boolean ofServices;
    private final InstantSource clock;
    private final int most;
    private final Counter dropped;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition noted = lock.newCondition();

    /** The device that waits longest first. */
    private final SequencedMap<String, Long> waiting = new LinkedHashMap<>();

    private final @Nullable Thread teller;
    private boolean failing;

    public LastReports(
            MetadataSettings settings,
            Metadata metadata,
            InstantSource clock,
            MeterRegistry figures,
            int most) {
        this.metadata = metadata;
        this.ofDevices = settings.updateDevice();
        this.ofServices = settings.updateService();
        this.clock = clock;
        this.most = most;
        this.dropped =
                Counter.builder("millrace.readings.last.reports.dropped")
                        .description("reports of devices that the metadata service was not told")
                        .register(figures);
        this.teller =
                ofDevices || ofServices
                        ? Thread.ofVirtual().name("last-reports").start(this::tellAll)
                        : null;
    }

    /** A device has just reported. */
    public void noted(String device) {
        if (teller == null || device.isEmpty()) {
            return;
        }
        lock.lock();
        try {
            if (waiting.put(device, clock.millis()) == null && waiting.size() > most) {
                waiting.pollFirstEntry();
                dropped.increment();
            }
            noted.signal();
        } finally {
            lock.unlock();
        }
    }

    private void tellAll() {
        try {
            while (true) {
                Map.Entry<String, Long> next = take();
                tell(next.getKey(), next.getValue());
            }
        } catch (InterruptedException e) {
            log.debug("No more reports of devices are told.");
        }
    }

    private Map.Entry<String, Long> take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (waiting.isEmpty()) {
                noted.await();
            }
            return Objects.requireNonNull(waiting.pollFirstEntry());
        } finally {
            lock.unlock();
        }
    }

    private void tell(String device, long millis) {
        if (ofDevices) {
            noteResult(
                    device,
                    switch (metadata.check(device)) {
                        case Metadata.Reply.Known<String> known ->
                                metadata.deviceReported(device, millis);
                        case Metadata.Reply.Refused<String> refused -> refused;
                    });
        }
        if (ofServices) {
            noteResult(
                    device,
                    switch (metadata.serviceOf(device)) {
                        case Metadata.Reply.Known<String>(String id) ->
                                metadata.serviceReported(id, millis);
                        case Metadata.Reply.Refused<String> refused -> refused;
                    });
        }
    }

    /** A service that is away is worth one line, not one for each event. */
    private void noteResult(String device, Metadata.Reply<String> reply) {
        switch (reply) {
            case Metadata.Reply.Known<String> known -> failing = false;
            case Metadata.Reply.Refused<String>(Metadata.Why why) -> {
                if (failing) {
                    log.debug("A report was not told. device={} reason={}", device, why.sentence());
                } else {
                    log.warn(
                            "The metadata service could not be told that a device has reported."
                                    + " device={} reason={}",
                            device,
                            why.sentence());
                }
                failing = true;
            }
        }
    }

    @Override
    public void close() {
        if (teller != null) {
            teller.interrupt();
        }
    }
}
