package dev.millrace.hub.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;

/**
 * Sends the first bytes of a conversation and is gone: for every conversation, every number of
 * bytes, and every way to go. Whole conversations come first and often, since most of what begins
 * does so with their last byte; then the places are counted through in their order; what is left
 * are whole conversations again.
 */
final class EarlyAttacker implements Attacker {
    private static final int WAYS = 2;
    private static final int WHOLE = 60;

    private final Target target;
    private final Judge judge;
    private final int clients;
    private final List<Conversation> conversations = new ArrayList<>();
    private final int all;

    @SuppressWarnings("ArrayRecordComponent") // Nobody compares these, and nobody changes them.
    private record Conversation(InetSocketAddress where, byte[] bytes) {}

    EarlyAttacker(Target target, Judge judge, int clients) {
        this.target = target;
        this.judge = judge;
        this.clients = clients;
        String head =
                " HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s"
                        .formatted(
                                target.http.getPort(),
                                target.admin().isEmpty()
                                        ? ""
                                        : "Authorization: Bearer " + target.admin() + "\r\n");
        http("GET /channel/wc/subscription/sse/wu" + head + "\r\n");
        http("GET /live?feeds=events" + head + "\r\n");
        http("GET /history/datastore/changes" + head + "Accept: text/event-stream\r\n\r\n");
        http("GET /channel/wc/subscription/polling/wu?timeout=1s" + head + "\r\n");
        String event = "{\"device\":\"d\",\"readings\":[{\"name\":\"t\",\"value\":\"1\"}]}";
        http(
                "POST /api/v1/events"
                        + head
                        + "Content-Length: %d\r\n\r\n".formatted(event.length())
                        + event);
        talk(
                "/live/ws",
                Frames.frame(Frames.TEXT, "{\"subscribe\":[\"events\"]}".getBytes(ISO_8859_1)));
        talk(Frames.CHANNEL, Frames.frame(Frames.TEXT, "{\"ack\":\"x\"}".getBytes(ISO_8859_1)));
        byte[] mqtt =
                new MqttBytes()
                        .raw(MqttBytes.connect("early", target.admin()))
                        .raw(
                                MqttBytes.packet(
                                        MqttBytes.SUBSCRIBE,
                                        2,
                                        new MqttBytes().two(1).text("plant/#").one(1).bytes()))
                        .raw(MqttBytes.publish("edgex/events/x", 2, event))
                        .bytes();
        talk("/eventbus", Frames.frame(Frames.BINARY, mqtt));
        conversations.add(new Conversation(target.mqtt, mqtt));
        this.all = conversations.stream().mapToInt(each -> each.bytes().length + 1).sum();
    }

    /** How many steps it takes until every place has been left once, by all clients together. */
    int places() {
        return all;
    }

    /** And so many more that each whole conversation was left often. */
    int often() {
        return conversations.size() * WHOLE;
    }

    private void http(String request) {
        conversations.add(new Conversation(target.http, request.getBytes(ISO_8859_1)));
    }

    private void talk(String path, byte[] frame) {
        byte[] handshake = Frames.handshake(target, path, target.admin(), List.of());
        conversations.add(
                new Conversation(
                        target.http,
                        new MqttBytes().raw(handshake).raw(frame).raw(Frames.close()).bytes()));
    }

    @Override
    public int step(Dice dice, Faults.Place place) {
        int number = place.step() * clients + place.client() - often();
        Conversation conversation = dice.of(conversations);
        int length = conversation.bytes().length;
        boolean rude = dice.percent(50);
        if (number >= 0 && number < all * WAYS) {
            // Each place is left in both ways, the one now and the other in the second half.
            rude = number % 2 == number / all;
            int left = number % all;
            for (Conversation each : conversations) {
                conversation = each;
                length = left;
                if (left <= each.bytes().length) {
                    break;
                }
                left -= each.bytes().length + 1;
            }
        }
        boolean listens = dice.percent(20) && length == conversation.bytes().length;
        try (Socket socket = target.connect(conversation.where())) {
            socket.getOutputStream().write(conversation.bytes(), 0, length);
            if (listens) {
                int first = socket.getInputStream().read();
                if (first < 0 && length > 0) {
                    return 1;
                }
            }
            if (rude) {
                Target.reset(socket);
            }
        } catch (SocketTimeoutException e) {
            judge.faults.add(
                    Faults.SILENT + " to a whole conversation", place, conversation.bytes(), "");
        } catch (IOException e) {
            judge.faults.add("no connection", place, conversation.bytes(), e.toString());
        }
        return 1;
    }
}
