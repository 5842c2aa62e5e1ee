package dev.millrace.hub.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.Optional;

/**
 * One WebSocket for each step: a handshake and some frames, often all at once. In the end it says
 * good-bye, and the hub has to hang up; or it is simply gone.
 */
final class WebsocketAttacker implements Attacker {
    private static final List<List<String>> ODD_HEADERS =
            List.of(
                    List.of(
                            "Sec-WebSocket-Extensions: permessage-deflate;"
                                    + " client_max_window_bits=99"),
                    List.of("Sec-WebSocket-Extensions: ,;="),
                    List.of("Sec-WebSocket-Protocol: chat, , \u00ff"),
                    List.of("Sec-WebSocket-Version: 99"),
                    List.of("Sec-WebSocket-Key: x"),
                    List.of("Origin: http://evil.invalid"),
                    List.of("Content-Length: 5"),
                    List.of("Expect: 100-continue"));

    private final Target target;
    private final Judge judge;

    WebsocketAttacker(Target target, Judge judge) {
        this.target = target;
        this.judge = judge;
    }

    @Override
    public int step(Dice dice, Faults.Place place) {
        String path = dice.of(Frames.PATHS);
        byte[] handshake =
                Frames.handshake(
                        target,
                        path,
                        target.token(dice),
                        dice.percent(10) ? dice.of(ODD_HEADERS) : List.of());
        boolean intact = true;
        int count = dice.below(5);
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        for (int i = 0; i < count; i++) {
            Frames.Shot shot = Frames.next(path, target, dice);
            intact &= shot.intact();
            frames.writeBytes(shot.bytes());
        }
        boolean together = dice.percent(50);
        End end = intact && dice.percent(50) ? End.GOOD_BYE : dice.of(End.SILENT, End.RESET);
        if (end == End.GOOD_BYE) {
            frames.writeBytes(Frames.close());
        }
        byte[] all = new MqttBytes().raw(handshake).raw(frames.toByteArray()).bytes();
        try (Socket socket = target.connect(target.http)) {
            try {
                talk(socket, handshake, frames.toByteArray(), together, end, path, place, all);
            } catch (SocketTimeoutException e) {
                throw e;
            } catch (IOException e) {
                // It was reset, which is an answer too.
            }
        } catch (SocketTimeoutException e) {
            judge.faults.add(
                    Faults.SILENT
                            + " to a WebSocket at "
                            + path
                            + (together ? ", all at once" : ""),
                    place,
                    all,
                    "");
        } catch (IOException e) {
            judge.faults.add("no connection for a WebSocket", place, all, e.toString());
        }
        return count + 1;
    }

    private enum End {
        GOOD_BYE,
        SILENT,
        RESET
    }

    private void talk(
            Socket socket,
            byte[] handshake,
            byte[] frames,
            boolean together,
            End end,
            String path,
            Faults.Place place,
            byte[] all)
            throws IOException {
        InputStream in = new Listening(socket);
        if (together) {
            socket.getOutputStream().write(all);
            if (end == End.RESET) {
                Target.reset(socket);
                return;
            }
        } else {
            socket.getOutputStream().write(handshake);
        }
        Optional<Heard> heard = Heard.read(in, false);
        heard.ifPresent(each -> judge.heard(each, "GET " + path, place, all));
        if (heard.isEmpty() || heard.get().status() != 101) {
            return;
        }
        if (!together) {
            socket.getOutputStream().write(frames);
        }
        switch (end) {
            case GOOD_BYE -> {}
            case SILENT -> socket.shutdownOutput();
            case RESET -> {
                Target.reset(socket);
                return;
            }
        }
        String rest = new String(in.readAllBytes(), ISO_8859_1);
        judge.names(rest, "a WebSocket at " + path, place, all);
    }
}
