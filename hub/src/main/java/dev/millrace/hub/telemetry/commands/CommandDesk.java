package dev.millrace.hub.telemetry.commands;

import dev.millrace.hub.access.Actor;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.live.LiveFeed;
import dev.millrace.hub.site.Site;
import dev.millrace.hub.telemetry.bus.Holding;
import dev.millrace.hub.telemetry.channels.ChannelBook;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.schedule.Schedule;

import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Commands, put together: what other rooms give orders to, and what the drivers of channels are
 * told to. There from the beginning; of use once it is started. Thread-safe then.
 */
public final class CommandDesk implements Commands, AutoCloseable {
    private final Site site;
    private final String room;
    private final List<Companion> companions = new ArrayList<>();
    private @Nullable Open open;

    private record Open(
            CommandReads reads, Submissions submissions, Workers workers, Expiries expiries) {}

    /**
     * @param room whose scope tokens need for it
     */
    public CommandDesk(Site site, String room) {
        this.site = site;
        this.room = room;
    }

    /** What live clients may listen to. */
    public LiveFeed feed() {
        return LiveFeed.of("commands", CommandTelling.TOPIC, Role.VIEWER, room);
    }

    public void start(
            Keyspace keyspace,
            ChannelBook channels,
            CommandSettings settings,
            MeterRegistry figures,
            InstantSource clock) {
        Schedule ends = Expiries.schedule(keyspace);
        CommandTelling telling = new CommandTelling(keyspace, site, clock);
        CommandReads reads = new CommandReads(keyspace, channels);
        CommandWrites writes = new CommandWrites(keyspace, telling, ends, settings.keep());
        writes.companions(companions);
        Tools tools =
                new Tools(
                        reads,
                        writes,
                        channels,
                        settings,
                        new CommandFigures(figures),
                        clock,
                        UUID.randomUUID().toString());
        Workers workers = new Workers(keyspace, tools);
        Submissions submissions =
                new Submissions(
                        channels, reads, writes, clock, settings.queueWait(), workers::wake);
        Expiries expiries =
                new Expiries(keyspace, submissions, reads, writes, settings, figures, clock);
        open = new Open(reads, submissions, workers, expiries);
    }

    private Open open() {
        Open now = open;
        if (now == null) {
            throw new IllegalStateException("Commands are not started yet.");
        }
        return now;
    }

    /** Who executes commands of the channels that this hub holds. */
    public Holding holding() {
        return open().workers;
    }

    @Override
    public Submitted submit(Order order) {
        return open().submissions.submit(order);
    }

    @Override
    public Optional<Command> find(String id) {
        return open().reads.find(id);
    }

    @Override
    public Optional<Command> find(int channel, String id) {
        return open().reads.find(channel, id);
    }

    @Override
    public List<Command> latest(int channel, int most) {
        return open().reads.latest(channel, most);
    }

    @Override
    public Cancelled cancel(String id, Actor by) {
        return open().submissions.cancel(id, by);
    }

    @Override
    public void companion(Companion companion) {
        companions.add(companion);
    }

    @Override
    public void close() {
        Open now = open;
        if (now != null) {
            now.expiries.close();
            now.workers.close();
        }
    }
}
