package dev.millrace.bench.pubsub;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.bench.race.Address;
import dev.millrace.bench.race.HttpLoad;
import dev.millrace.bench.race.HttpLoad.Talker;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Those who publish, fetch and acknowledge. */
public final class Clients {
    private static final String BODY = "{\"at\":1605430000123,\"text\":\"twenty letters of it\"}";
    private static final String HANDLE = "\"ackHandle\":\"";
    private static final int READY_MESSAGES = 10;

    private final Address server;
    private final String name;
    private final int connections;
    private final int channels;
    private final AtomicLong numbers = new AtomicLong();

    /**
     * Nothing is sent yet.
     *
     * @param name with which the names of the channels begin
     */
    public Clients(Address server, String name, int connections, int channels) {
        this.server = server;
        this.name = name;
        this.connections = connections;
        this.channels = channels;
    }

    private String polling(long channel) {
        return "/channel/%s-%010d/subscription/polling/reader".formatted(name, channel);
    }

    /** Makes the channels, each with a subscriber and, where they are to be read, messages. */
    public void prepare(Deed deed) throws IOException {
        List<byte[]> requests = new ArrayList<>();
        for (int i = 0; i < Math.max(channels, connections); i++) {
            requests.add(server.put(polling(i), ""));
        }
        HttpLoad.each(server, requests);
        for (int n = 0; deed == Deed.FETCH && n < READY_MESSAGES; n++) {
            List<byte[]> messages = new ArrayList<>();
            for (int i = 0; i < channels; i++) {
                messages.add(publish(i));
            }
            HttpLoad.each(server, messages);
        }
    }

    private byte[] publish(long channel) {
        return server.put(
                "/channel/%s-%010d/message/m-%d"
                        .formatted(name, channel, numbers.getAndIncrement()),
                BODY);
    }

    /** Does it for so long, each connection with one request in flight; gives how often. */
    long repeat(Deed deed, long nanos) throws IOException {
        try (HttpLoad load = new HttpLoad(each -> {}, server, talkers(deed))) {
            return load.run(nanos);
        }
    }

    /** What each connection says. */
    public List<Talker> talkers(Deed deed) {
        IntFunction<Talker> talker = talker(deed);
        return IntStream.range(0, connections).mapToObj(talker).toList();
    }

    private IntFunction<Talker> talker(Deed deed) {
        return switch (deed) {
            case EMPTY -> {
                byte[] request = server.post(HubMain.EMPTY, BODY);
                yield i -> answer -> request;
            }
            case PUBLISH -> i -> new Publisher();
            case FETCH, EMPTY_FETCH ->
                    i -> {
                        byte[] request = server.get(polling(i % channels));
                        return answer -> request;
                    };
            case CYCLE -> Cycle::new;
        };
    }

    /**
     * Publishes to one channel after the other. The requests differ in their numbers only, which
     * are written into place: to make each anew would cost more than to send it.
     */
    private final class Publisher implements Talker {
        private static final String NUMBER = "0000000000";

        private final byte[] request =
                server.put("/channel/%s-%s/message/m-%s".formatted(name, NUMBER, NUMBER), BODY);
        private final int channelAt = new String(request, UTF_8).indexOf(NUMBER);
        private final int messageAt = new String(request, UTF_8).lastIndexOf(NUMBER);

        @Override
        public byte[] next(Supplier<String> answer) {
            long number = numbers.getAndIncrement();
            put(channelAt, number % channels);
            put(messageAt, number);
            return request;
        }

        private void put(int at, long number) {
            long rest = number;
            for (int i = at + NUMBER.length() - 1; i >= at; i--) {
                request[i] = (byte) ('0' + rest % 10);
                rest /= 10;
            }
        }
    }

    /** Publishes, fetches and acknowledges in turns. */
    private final class Cycle implements Talker {
        private final int channel;
        private int step;

        Cycle(int channel) {
            this.channel = channel;
        }

        @Override
        public byte[] next(Supplier<String> answer) {
            return switch (step++ % 3) {
                case 0 -> publish(channel);
                case 1 -> server.get(polling(channel));
                default -> acknowledge(answer.get());
            };
        }

        private byte[] acknowledge(String page) {
            int from = page.indexOf(HANDLE) + HANDLE.length();
            String handle = page.substring(from, page.indexOf('"', from));
            return server.delete(polling(channel) + "/message?ackHandle=" + handle);
        }
    }
}
