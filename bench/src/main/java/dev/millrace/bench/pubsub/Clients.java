package dev.millrace.bench.pubsub;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.bench.race.HttpLoad;
import dev.millrace.bench.race.HttpLoad.Talker;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** Those who publish, fetch and acknowledge. */
final class Clients {
    private static final String BODY = "{\"at\":1605430000123,\"text\":\"twenty letters of it\"}";
    private static final String HANDLE = "\"ackHandle\":\"";
    private static final int READY_MESSAGES = 10;

    private final int port;
    private final int connections;
    private final int channels;
    private final AtomicLong numbers = new AtomicLong();

    Clients(int port, int connections, int channels) {
        this.port = port;
        this.connections = connections;
        this.channels = channels;
    }

    private static String polling(long channel) {
        return "/channel/channel-%d/subscription/polling/reader".formatted(channel);
    }

    /** Makes the channels, each with a subscriber and, where they are to be read, messages. */
    void prepare(Deed deed) throws IOException {
        List<byte[]> requests = new ArrayList<>();
        for (int i = 0; i < Math.max(channels, connections); i++) {
            requests.add(HttpLoad.request("PUT", polling(i), ""));
        }
        once(requests);
        for (int n = 0; deed == Deed.FETCH && n < READY_MESSAGES; n++) {
            List<byte[]> messages = new ArrayList<>();
            for (int i = 0; i < channels; i++) {
                messages.add(publish(i));
            }
            once(messages);
        }
    }

    private void once(List<byte[]> requests) throws IOException {
        for (byte[] request : requests) {
            try (HttpLoad load = new HttpLoad(port, List.of(request), nanos -> {})) {
                load.run(1);
            }
        }
    }

    private byte[] publish(long channel) {
        return HttpLoad.request(
                "PUT",
                "/channel/channel-%d/message/m-%d".formatted(channel, numbers.getAndIncrement()),
                BODY);
    }

    /** Does it for so long, each connection with one request in flight; gives how often. */
    long repeat(Deed deed, long nanos) throws IOException {
        List<Talker> talkers = new ArrayList<>();
        IntFunction<Talker> talker = talker(deed);
        for (int i = 0; i < connections; i++) {
            talkers.add(talker.apply(i));
        }
        try (HttpLoad load = new HttpLoad(each -> {}, port, talkers)) {
            return load.run(nanos);
        }
    }

    private IntFunction<Talker> talker(Deed deed) {
        return switch (deed) {
            case EMPTY -> {
                byte[] request = HttpLoad.post(HubMain.EMPTY, BODY);
                yield i -> answer -> request;
            }
            case PUBLISH -> i -> answer -> publish(numbers.get() % channels);
            case FETCH, EMPTY_FETCH ->
                    i -> {
                        byte[] request = HttpLoad.get(polling(i % channels));
                        return answer -> request;
                    };
            case CYCLE -> Cycle::new;
        };
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
                case 1 -> HttpLoad.get(polling(channel));
                default -> acknowledge(answer.get());
            };
        }

        private byte[] acknowledge(String page) {
            int from = page.indexOf(HANDLE) + HANDLE.length();
            String handle = page.substring(from, page.indexOf('"', from));
            return "DELETE %s/message?ackHandle=%s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
                    .formatted(polling(channel), handle)
                    .getBytes(UTF_8);
        }
    }
}
