package dev.millrace.bench.plant;

import dev.millrace.bench.race.HttpLoad;
import dev.millrace.bench.race.WholeHub;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The rules of the plant, and what they cost.
 *
 * @param bytes of the hub's heap for each
 */
record Rules(int count, double bytes, double perSecond) {
    private static final int CONNECTIONS = 8;

    static Rules create(WholeHub hub, Field field) throws IOException, InterruptedException {
        // Once around, so that what is loaded by the first use does not count as a rule's.
        HttpLoad.each(
                hub.address(), List.of(new Clients(hub.address(), field).write(1, "{\"1\":1}")));
        long before = hub.heap();
        List<byte[]> requests = field.ruleRequests(hub.address());
        Iterator<byte[]> left = requests.iterator();
        List<HttpLoad.Talker> talkers =
                IntStream.range(0, CONNECTIONS)
                        .<HttpLoad.Talker>mapToObj(i -> answer -> left.next())
                        .toList();
        long began = System.nanoTime();
        try (HttpLoad load = new HttpLoad(nanos -> {}, hub.address(), talkers)) {
            load.run(Long.MAX_VALUE / 2, Double.POSITIVE_INFINITY, requests.size());
        }
        double perSecond = requests.size() * 1e9 / (System.nanoTime() - began);
        hub.settle();
        double bytes = (hub.heap() - before) / (double) requests.size();
        return new Rules(requests.size(), bytes, perSecond);
    }
}
