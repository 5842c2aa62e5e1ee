package dev.millrace.hub.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is nearly HTTP: broken lines, lengths and chunks, several requests at once, flipped bits. It
 * says that it has no more to say, so whatever the hub makes of it, the connection has to end.
 */
final class MalformedAttacker implements Attacker {
    private static final Pattern STATUS = Pattern.compile("(?m)^HTTP/1\\.[01] (\\d{3}) ");
    private static final List<String> LINES =
            List.of(
                    "GET / EVIL/6.6",
                    "GET / HTTP/9.9",
                    "GET / HTTP/1.1 x",
                    "GET /",
                    "GET",
                    "",
                    " ",
                    "\0",
                    "PRI * HTTP/2.0",
                    "\u0016\u0003\u0001\u0002",
                    "GET * HTTP/1.1",
                    "OPTIONS * HTTP/1.1",
                    "CONNECT 127.0.0.1:1 HTTP/1.1",
                    "GET http://evil.invalid/health/live HTTP/1.1",
                    "GET //health/live HTTP/1.1",
                    "GET /\u0001 HTTP/1.1",
                    "GET /%  HTTP/1.1",
                    "GE\u00ffT / HTTP/1.1",
                    "GET /health/live HTTP/1.1",
                    "POST /api/v1/event HTTP/1.1",
                    "POST /api/v1/events HTTP/1.1",
                    "POST /history/datastore/import HTTP/1.1");
    private static final List<String> HEADERS =
            List.of(
                    "Host: 127.0.0.1",
                    "Host: 127.0.0.1",
                    "Host: 127.0.0.1",
                    "Content-Length: 5",
                    "Content-Length: -1",
                    "Content-Length: 5, 6",
                    "Content-Length: 99999999999999999999",
                    "Transfer-Encoding: chunked",
                    "Transfer-Encoding: chunked",
                    "Transfer-Encoding: xchunked",
                    "Transfer-Encoding: gzip, chunked",
                    "Expect: 100-continue",
                    "Expect: x",
                    "Connection: Upgrade",
                    "Upgrade: websocket",
                    "No Name: x",
                    ": x",
                    " folded",
                    "A: b\0c",
                    "A: b\rc",
                    "Name : x");
    private static final List<String> BODIES =
            List.of(
                    "",
                    "hello",
                    "5\r\nhello\r\n0\r\n\r\n",
                    "ffffffffffffffff\r\nx",
                    "-1\r\nx\r\n0\r\n\r\n",
                    "zz\r\n",
                    "5\r\nhelloX\r\n0\r\n\r\n",
                    "0\r\nHost: x\r\n\r\n",
                    "5;a=\"b\r\nhello\r\n0\r\n\r\n",
                    "\u0001\u0002\u0003\r\n\r\n");

    private final Target target;
    private final Judge judge;

    MalformedAttacker(Target target, Judge judge) {
        this.target = target;
        this.judge = judge;
    }

    @Override
    public int step(Dice dice, Faults.Place place) {
        byte[] bytes = dice.percent(50) ? broken(dice) : nearly(dice);
        try (Socket socket = target.connect(target.http)) {
            String all;
            try {
                socket.getOutputStream().write(bytes);
                socket.shutdownOutput();
                all = new String(new Listening(socket).readAllBytes(), ISO_8859_1);
            } catch (SocketTimeoutException e) {
                throw e;
            } catch (IOException e) {
                // It was reset, which is an answer too.
                return 1;
            }
            judge(all, place, bytes);
        } catch (SocketTimeoutException e) {
            judge.faults.add(Faults.SILENT + " to what is not HTTP", place, bytes, "");
        } catch (IOException e) {
            judge.faults.add("no connection for HTTP", place, bytes, e.toString());
        }
        return 1;
    }

    private void judge(String all, Faults.Place place, byte[] bytes) {
        if (!all.isEmpty() && !all.startsWith("HTTP/1.")) {
            judge.faults.add("an answer that is not HTTP", place, bytes, Judge.beginning(all));
        }
        Matcher status = STATUS.matcher(all);
        while (status.find()) {
            int code = Integer.parseInt(status.group(1));
            if (code >= 500 && code != 501 && code != 503 && code != 505) {
                judge.faults.add(code + " for what is not HTTP", place, bytes, all);
            }
        }
        if (all.length() < 4000) {
            judge.names(all, "what is not HTTP", place, bytes);
        }
    }

    private static byte[] broken(Dice dice) {
        StringBuilder text = new StringBuilder();
        for (int requests = dice.from(1, 3); requests > 0; requests--) {
            text.append(dice.of(LINES)).append(dice.of("\r\n", "\r\n", "\n", "\r"));
            for (int headers = dice.below(5); headers > 0; headers--) {
                text.append(dice.of(HEADERS)).append(dice.of("\r\n", "\r\n", "\n"));
            }
            text.append(dice.of("\r\n", "\r\n", "\n", "")).append(dice.of(BODIES));
        }
        return text.toString().getBytes(ISO_8859_1);
    }

    /** Requests that were well-formed, with some bits turned over, or one after the other. */
    private byte[] nearly(Dice dice) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int requests = dice.from(1, 3); requests > 0; requests--) {
            byte[] shot = new HttpShots(target, dice).next().bytes();
            if (shot.length < 4000) {
                all.writeBytes(shot);
            }
        }
        return dice.percent(80) ? dice.flipped(all.toByteArray()) : all.toByteArray();
    }
}
