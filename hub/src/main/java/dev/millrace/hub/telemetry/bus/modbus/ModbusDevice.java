package dev.millrace.hub.telemetry.bus.modbus;

import com.digitalpetri.modbus.ExceptionCode;
import com.digitalpetri.modbus.pdu.ModbusPdu;
import com.digitalpetri.modbus.pdu.ModbusRequestPdu;
import com.digitalpetri.modbus.pdu.ReadCoilsResponse;
import com.digitalpetri.modbus.pdu.ReadDiscreteInputsResponse;
import com.digitalpetri.modbus.pdu.ReadHoldingRegistersResponse;
import com.digitalpetri.modbus.pdu.ReadInputRegistersResponse;

import dev.millrace.hub.telemetry.bus.Connected;
import dev.millrace.hub.telemetry.bus.Device;
import dev.millrace.hub.telemetry.bus.Ordered;
import dev.millrace.hub.telemetry.bus.Poll;
import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.telemetry.kept.PointType;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** A device, or several behind one gateway, over one connection. */
final class ModbusDevice implements Device {
    /** So many polls without any answer, and another connection is tried: this one may be dead. */
    private static final int ENOUGH_SILENCE = 3;

    private final Parameters parameters;

    /** For one question and its answer, in the order of the asking. */
    private final ReentrantLock turn = new ReentrantLock(true);

    private volatile @Nullable Line line;
    private volatile boolean closed;
    private volatile Map<String, Spot> writable = Map.of();

    /** Of the thread that polls. */
    private List<Block> blocks = List.of();

    private int silences;

    ModbusDevice(ChannelConfiguration channel, Parameters parameters) {
        this.parameters = parameters;
        configure(channel);
    }

    @Override
    public void configure(ChannelConfiguration channel) {
        List<Spot> read = new ArrayList<>();
        Map<String, Spot> written = new HashMap<>();
        for (Spot each : ModbusProtocol.spots(channel, parameters)) {
            if (each.type().isRead()) {
                read.add(each);
            } else {
                written.put(each.type().reference(each.point()), each);
            }
        }
        writable = written;
        blocks = Block.join(read, parameters.gap(), parameters.most());
    }

    // ---------------------------------------------------------------- the connection

    @Override
    public Connected connect() throws InterruptedException {
        Line now = line;
        if (now != null && now.isOpen()) {
            return new Connected.Already();
        }
        try {
            Line next =
                    Line.open(
                            Names.resolve(
                                    parameters.host(), parameters.port(), parameters.timeout()),
                            parameters.timeout());
            line = next;
            if (closed) {
                next.close();
            }
            return new Connected.Now();
        } catch (IOException e) {
            return new Connected.Not(
                    "No connection to %s:%d: %s"
                            .formatted(parameters.host(), parameters.port(), e.getMessage()));
        }
    }

    @Override
    public void close() {
        closed = true;
        Line now = line;
        if (now != null) {
            now.close();
        }
    }

    /** Asks when it is its turn; empty if there is no connection. */
    private Optional<Reply> ask(int unit, ModbusRequestPdu request, Duration atMost) {
        Line now = line;
        return now == null || !now.isOpen()
                ? Optional.empty()
                : Optional.of(now.ask(unit, request, atMost));
    }

    // ---------------------------------------------------------------- reading

    /** What has been read so far. */
    private static final class Readings {
        final List<Poll.Sample> samples = new ArrayList<>();
        final List<Poll.Missed> missed = new ArrayList<>();
        String trouble = "";

        void missed(Block block, String why) {
            block.spots().forEach(each -> missed.add(new Poll.Missed(each.type(), each.point())));
            trouble = why;
        }
    }

    @Override
    public Poll poll() throws InterruptedException {
        Readings readings = new Readings();
        Set<Integer> silent = new HashSet<>();
        List<Block> kept = new ArrayList<>(blocks.size());
        Deque<Block> left = new ArrayDeque<>(blocks);
        boolean lost = false;
        boolean answered = false;
        while (!left.isEmpty()) {
            Block block = left.pop();
            if (lost || silent.contains(block.unit())) {
                readings.missed(block, readings.trouble);
                kept.add(block);
                continue;
            }
            Reply reply = read(block);
            answered |= reply instanceof Reply.Answer || reply instanceof Reply.No;
            switch (reply) {
                case Reply.Answer(ModbusPdu pdu) -> lost = !take(block, pdu, readings);
                case Reply.No no -> {
                    if (no.is(ExceptionCode.ILLEGAL_DATA_ADDRESS) && block.canBeSplit()) {
                        // It has some of it perhaps; from now on it is asked for that alone.
                        List<Block> halves = block.split();
                        left.push(halves.getLast());
                        left.push(halves.getFirst());
                        continue;
                    }
                    readings.missed(
                            block,
                            "%s for %s from %d, unit %d"
                                    .formatted(
                                            no.code(),
                                            block.table(),
                                            block.address(),
                                            block.unit()));
                }
                case Reply.Silence silence -> {
                    silent.add(block.unit());
                    readings.missed(block, "Unit %d does not answer.".formatted(block.unit()));
                }
                case Reply.Broken(String why, boolean sent) -> {
                    lost = true;
                    readings.missed(block, why);
                }
            }
            kept.add(block);
        }
        blocks = kept;
        return result(readings, lost, answered);
    }

    private Reply read(Block block) throws InterruptedException {
        turn.lockInterruptibly();
        try {
            return ask(
                            block.unit(),
                            block.table().read(block.address(), block.count()),
                            parameters.timeout())
                    .orElseGet(() -> new Reply.Broken("The connection has ended.", false));
        } finally {
            turn.unlock();
        }
    }

    /** Whether it was an answer to the question. */
    private boolean take(Block block, ModbusPdu pdu, Readings readings) {
        byte[] bytes = bytes(pdu);
        if (bytes.length != block.table().bytes(block.count())) {
            Line now = line;
            if (now != null) {
                now.close();
            }
            readings.missed(
                    block,
                    "The device answers garbage: %d bytes where %d were asked for"
                            .formatted(bytes.length, block.table().bytes(block.count())));
            return false;
        }
        for (Spot each : block.spots()) {
            Encoding.Figure number = each.in(bytes, block.address());
            if (Double.isFinite(number.value())) {
                readings.samples.add(
                        new Poll.Sample(each.type(), each.point(), number.value(), number.exact()));
            } else {
                readings.missed.add(new Poll.Missed(each.type(), each.point()));
                readings.trouble = "Point %s is not a number.".formatted(each.point());
            }
        }
        return true;
    }

    private static byte[] bytes(ModbusPdu pdu) {
        return switch (pdu) {
            case ReadCoilsResponse answer -> answer.coils();
            case ReadDiscreteInputsResponse answer -> answer.inputs();
            case ReadHoldingRegistersResponse answer -> answer.registers();
            case ReadInputRegistersResponse answer -> answer.registers();
            default -> throw new IllegalArgumentException(pdu.toString());
        };
    }

    private Poll result(Readings readings, boolean lost, boolean answered) {
        silences = answered ? 0 : silences + 1;
        if (readings.samples.isEmpty() && !blocks.isEmpty()) {
            if (silences >= ENOUGH_SILENCE && !lost) {
                silences = 0;
                Line now = line;
                if (now != null) {
                    now.close();
                }
            }
            return new Poll.Failed(readings.trouble, lost);
        }
        return new Poll.Answered(
                readings.samples,
                readings.missed,
                readings.trouble.isEmpty() ? Optional.empty() : Optional.of(readings.trouble));
    }

    // ---------------------------------------------------------------- writing

    @Override
    public Ordered write(PointType type, String point, double raw, Duration atMost)
            throws InterruptedException {
        Spot spot = writable.get(type.reference(point));
        if (spot == null) {
            return new Ordered.NotSent(
                    Ordered.Cause.UNKNOWN_POINT,
                    "The device has no point %s.".formatted(type.reference(point)));
        }
        Optional<Long> bits = Writing.bits(spot, raw);
        if (bits.isEmpty()) {
            return new Ordered.NotSent(
                    Ordered.Cause.OUT_OF_RANGE,
                    "The value does not fit where the device keeps it.");
        }
        long until = System.nanoTime() + atMost.toNanos();
        if (!turn.tryLock(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
            return new Ordered.NotSent(
                    Ordered.Cause.LATE, "The device was busy until its time was over.");
        }
        try {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            return write(spot, bits.get(), until);
        } finally {
            turn.unlock();
        }
    }

    private Ordered write(Spot spot, long bits, long until) {
        ModbusRequestPdu request;
        if (Writing.needsItsNeighbours(spot)) {
            Optional<Reply> before = ask(spot.unit(), Writing.read(spot), atMost(until));
            if (!(before.orElse(new Reply.Silence()) instanceof Reply.Answer(ModbusPdu pdu))) {
                return new Ordered.NotSent(
                        Ordered.Cause.OFFLINE, "The device does not say what lies around the bit.");
            }
            byte[] around = bytes(pdu);
            if (around.length != spot.count() * Short.BYTES) {
                return new Ordered.NotSent(Ordered.Cause.OFFLINE, "The device answers garbage.");
            }
            request = Writing.request(spot, bits, around);
        } else {
            request = Writing.request(spot, bits, new byte[0]);
        }
        if (until - System.nanoTime() <= 0) {
            return new Ordered.NotSent(Ordered.Cause.LATE, "Its time was over before its turn.");
        }
        Optional<Reply> reply = ask(spot.unit(), request, atMost(until));
        if (reply.isEmpty()) {
            return new Ordered.NotSent(
                    Ordered.Cause.OFFLINE, "There is no connection to the device.");
        }
        return switch (reply.get()) {
            case Reply.Answer answer -> new Ordered.Done(readBack(spot, until));
            case Reply.No no -> refused(no);
            case Reply.Silence silence -> new Ordered.Unknown("The device does not answer.");
            case Reply.Broken(String why, boolean sent) ->
                    sent
                            ? new Ordered.Unknown(why)
                            : new Ordered.NotSent(Ordered.Cause.OFFLINE, why);
        };
    }

    /** The device has heard of it, or only the gateway before it has. */
    private static Ordered refused(Reply.No no) {
        if (no.is(ExceptionCode.ACKNOWLEDGE)) {
            return new Ordered.Unknown("The device has taken it and is not done with it.");
        }
        if (no.is(ExceptionCode.GATEWAY_TARGET_DEVICE_FAILED_TO_RESPONSE)) {
            return new Ordered.Unknown("The gateway has passed it on and heard no answer.");
        }
        return new Ordered.Refused(no.code(), "The device answers with " + no.code() + ".");
    }

    /** What it is now; empty if the device does not say. That it was done is certain anyway. */
    private OptionalDouble readBack(Spot spot, long until) {
        Optional<Reply> reply = ask(spot.unit(), Writing.read(spot), atMost(until));
        if (reply.isPresent() && reply.get() instanceof Reply.Answer(ModbusPdu pdu)) {
            byte[] bytes = bytes(pdu);
            if (bytes.length == spot.table().bytes(spot.count())) {
                double now = spot.in(bytes, spot.address()).value();
                return Double.isFinite(now) ? OptionalDouble.of(now) : OptionalDouble.empty();
            }
        }
        return OptionalDouble.empty();
    }

    private Duration atMost(long until) {
        Duration left = Duration.ofNanos(Math.max(1_000_000, until - System.nanoTime()));
        return left.compareTo(parameters.timeout()) < 0 ? left : parameters.timeout();
    }
}
