package dev.millrace.bench.commands;

import dev.millrace.bench.race.HttpLoad;
import dev.millrace.bench.race.RaceServer;
import dev.millrace.bench.race.WholeHub;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;

/**
 * Simulated devices in a hub, each with one set point, and clients that order it to be something.
 *
 * @param channels how many devices
 * @param connections of the clients
 */
record Site(WholeHub hub, RaceServer redis, int channels, int connections) {
    private static final int LOOK_MILLIS = 50;
    private static final int MOST_LOOKS = 1200;

    /** Configures the channels, and waits until all are online. */
    void prepare() throws IOException, InterruptedException {
        List<byte[]> requests = new ArrayList<>();
        for (int channel = 1; channel <= channels; channel++) {
            requests.add(
                    hub.address()
                            .post(
                                    "/api/channels",
                                    """
                                    {"id":%d,"protocol":"virtual","parameters":{"polling_interval_ms":5000},"points":{
                                     "T":[{"point_id":1,"mapping":{"signal":"sine"}}],
                                     "A":[{"point_id":1,"mapping":{"answer":"done"}}]}}\
                                    """
                                            .formatted(channel)));
        }
        HttpLoad.each(hub.address(), requests);
        for (int look = 0; online() < channels; look++) {
            if (look == MOST_LOOKS) {
                throw new IllegalStateException("The simulated devices do not come online.");
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    private long online() {
        return redis.call("SCARD", "comsrv:online") instanceof Long size ? size : 0;
    }

    /**
     * Clients that give one order after another.
     *
     * @param ids gives the number of the order that is given next, and is told when
     */
    HttpLoad load(LongUnaryOperator ids) throws IOException {
        HttpLoad.Talker talker =
                answer -> {
                    long number = ids.applyAsLong(System.nanoTime());
                    return hub.address()
                            .post(
                                    "/api/adjustment/" + (number % channels + 1),
                                    "{\"point_id\":1,\"value\":%d,\"cmd_id\":\"%s\"}"
                                            .formatted(number % 1000, Ends.id(number)));
                };
        List<HttpLoad.Talker> talkers = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            talkers.add(talker);
        }
        return new HttpLoad(nanos -> {}, hub.address(), talkers);
    }

    /** Clients that ask the same server for nothing. */
    HttpLoad pings() throws IOException {
        List<byte[]> requests = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            requests.add(hub.address().get("/api/v1/ping"));
        }
        return new HttpLoad(hub.address(), requests, nanos -> {});
    }
}
