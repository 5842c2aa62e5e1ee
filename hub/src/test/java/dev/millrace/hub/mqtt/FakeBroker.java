package dev.millrace.hub.mqtt;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntFunction;

/**
 * A broker outside of which nobody knows what it hands on. To each client that subscribes it gives
 * the same packet, again and again until it is acknowledged.
 */
public final class FakeBroker implements AutoCloseable {
    private final ServerSocket door;
    private volatile IntFunction<Optional<byte[]>> gift;

    /** In which version what it gave was acknowledged. */
    final List<Integer> acknowledged = new CopyOnWriteArrayList<>();

    /**
     * Begins.
     *
     * @param gift what a client of a version is given; empty for nothing
     */
    public FakeBroker(IntFunction<Optional<byte[]>> gift) {
        this.gift = gift;
        try {
            door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.startVirtualThread(this::welcome);
    }

    public void give(IntFunction<Optional<byte[]>> other) {
        gift = other;
    }

    public int port() {
        return door.getLocalPort();
    }

    private void welcome() {
        while (!door.isClosed()) {
            try {
                Socket socket = door.accept();
                Thread.startVirtualThread(() -> talk(RawMqtt.on(socket)));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void talk(RawMqtt client) {
        try (client) {
            int version = client.read().body()[6];
            byte[] welcome = version == Packets.V5 ? new byte[3] : new byte[2];
            client.send(Packets.packet(0x20, welcome));
            for (RawMqtt.Packet each = client.read();
                    each.type() != RawMqtt.END;
                    each = client.read()) {
                answer(client, version, each);
            }
        }
    }

    private void answer(RawMqtt client, int version, RawMqtt.Packet packet) {
        switch (packet.type()) {
            case 8 -> {
                byte[] id = {packet.body()[0], packet.body()[1]};
                client.send(
                        Packets.packet(
                                0x90,
                                Packets.join(
                                        id, Packets.block(version, new byte[0]), new byte[] {1})));
                gift.apply(version).ifPresent(client::send);
            }
            case RawMqtt.PUBACK -> {
                acknowledged.add(version);
                gift = any -> Optional.empty();
            }
            case RawMqtt.PUBLISH -> client.send(Packets.reply(0x40, packet.id()));
            case 12 -> client.send(Packets.packet(0xD0));
            default -> {
                // It has nothing to say to that.
            }
        }
    }

    @Override
    public void close() {
        try {
            door.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
