package dev.millrace.hub.live;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/** All clients of one event loop, looked at once a second, on that loop. */
final class Crowd {
    /** How often, in ticks, it is asked whether clients may still listen. */
    private static final int PASS_EVERY = 2;

    private final Executor loop;
    private final LiveSettings settings;
    private final LiveMetrics metrics;
    private final List<Client> clients = new ArrayList<>();
    private int ticks;

    Crowd(Executor loop, LiveSettings settings, LiveMetrics metrics) {
        this.loop = loop;
        this.settings = settings;
        this.metrics = metrics;
    }

    Executor loop() {
        return loop;
    }

    LiveMetrics metrics() {
        return metrics;
    }

    void add(Client client) {
        client.index = clients.size();
        clients.add(client);
    }

    void remove(Client client) {
        int index = client.index;
        if (index < 0) {
            return;
        }
        client.index = -1;
        Client last = clients.removeLast();
        if (last != client) {
            clients.set(index, last);
            last.index = index;
        }
    }

    void tick() {
        long now = System.nanoTime();
        long heartbeat = settings.heartbeat().toNanos();
        long slow = settings.slowTimeOut().toNanos();
        ticks++;
        // From the last to the first, so that one that ends meanwhile makes nobody be left out.
        for (int i = clients.size() - 1; i >= 0; i = Math.min(i, clients.size()) - 1) {
            Client client = clients.get(i);
            boolean lookAtPass = (ticks + i) % PASS_EVERY == 0;
            client.attempt(() -> client.tick(now, heartbeat, slow, lookAtPass));
        }
    }
}
