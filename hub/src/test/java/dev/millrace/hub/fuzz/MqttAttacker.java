package dev.millrace.hub.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;

/**
 * One connection to the broker for each step: a CONNECT and some packets. In the end it asks
 * whether somebody is there; the broker answers, or it has closed the connection.
 */
final class MqttAttacker implements Attacker {
    private static final int MOST_PACKETS = 10;

    private final Target target;
    private final Judge judge;

    MqttAttacker(Target target, Judge judge) {
        this.target = target;
        this.judge = judge;
    }

    @Override
    public int step(Dice dice, Faults.Place place) {
        MqttShots shots = new MqttShots(target, dice);
        MqttShots.Packet connect = shots.connect();
        boolean patient = connect.framed() && dice.percent(70);
        boolean framed = connect.framed();
        ByteArrayOutputStream rest = new ByteArrayOutputStream();
        int count = dice.from(1, MOST_PACKETS);
        for (int i = 0; i < count; i++) {
            MqttShots.Packet next = shots.next();
            framed &= next.framed();
            rest.writeBytes(next.bytes());
        }
        boolean rude = dice.percent(25);
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        ByteArrayOutputStream heard = new ByteArrayOutputStream();
        try (Socket socket = target.connect(target.mqtt)) {
            try {
                InputStream in = new Listening(socket);
                sent.writeBytes(connect.bytes());
                socket.getOutputStream().write(connect.bytes());
                if (patient) {
                    until(2, in, heard);
                }
                sent.writeBytes(rest.toByteArray());
                socket.getOutputStream().write(rest.toByteArray());
                if (rude) {
                    Target.reset(socket);
                } else if (framed) {
                    socket.getOutputStream().write(MqttBytes.ping());
                    until(MqttBytes.PINGRESP, in, heard);
                } else {
                    socket.shutdownOutput();
                    in.transferTo(heard);
                }
            } catch (SocketTimeoutException e) {
                throw e;
            } catch (IOException e) {
                // It was reset, which is an answer too.
            }
            judge.names(heard.toString(ISO_8859_1), "MQTT", place, sent.toByteArray());
        } catch (SocketTimeoutException e) {
            judge.faults.add(
                    Faults.SILENT + " to MQTT " + shots.version,
                    place,
                    sent.toByteArray(),
                    Faults.shown(heard.toByteArray()));
        } catch (IOException e) {
            judge.faults.add("no connection for MQTT", place, sent.toByteArray(), e.toString());
        }
        return count + 1;
    }

    /** Reads packets until one of this type has come, or the connection has ended. */
    static boolean until(int type, InputStream in, ByteArrayOutputStream heard) throws IOException {
        while (true) {
            int first = in.read();
            if (first < 0) {
                return false;
            }
            heard.write(first);
            int length = 0;
            int shift = 0;
            int digit;
            do {
                digit = in.read();
                length |= (digit & 0x7F) << shift;
                shift += 7;
            } while (digit > 0x7F && shift < 28);
            heard.writeBytes(in.readNBytes(length));
            if (first >>> 4 == type) {
                return true;
            }
        }
    }
}
