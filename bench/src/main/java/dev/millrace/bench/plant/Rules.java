package dev.millrace.bench.plant;

import dev.millrace.bench.race.HttpLoad;
import dev.millrace.bench.race.WholeHub;

import java.io.IOException;
import java.util.List;

/**
 * The rules of the plant, created one after the other, and what they cost.
 *
 * @param bytes of the hub's heap for each
 */
record Rules(int count, double bytes, double perSecond) {
    static Rules create(WholeHub hub, Field field) throws IOException, InterruptedException {
        // Once around, so that what is loaded by the first use does not count as a rule's.
        HttpLoad.each(
                hub.address(), List.of(new Clients(hub.address(), field).write(1, "{\"1\":1}")));
        long before = hub.heap();
        List<byte[]> requests = field.ruleRequests(hub.address());
        long began = System.nanoTime();
        HttpLoad.each(hub.address(), requests);
        double perSecond = requests.size() * 1e9 / (System.nanoTime() - began);
        hub.settle();
        double bytes = (hub.heap() - before) / (double) requests.size();
        return new Rules(requests.size(), bytes, perSecond);
    }
}
