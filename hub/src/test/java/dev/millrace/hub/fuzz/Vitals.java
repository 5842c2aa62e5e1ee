package dev.millrace.hub.fuzz;

import com.sun.management.HotSpotDiagnosticMXBean;

import dev.millrace.hub.http.Json;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What must be the same before and after: figures of the hub, and threads of the process. */
final class Vitals {
    private static final List<String> GAUGES =
            List.of(
                    "millrace_http_connections",
                    "millrace_http_in_flight",
                    "millrace_http_bodies_bytes",
                    "millrace_http_answers_bytes",
                    "millrace_live_clients",
                    "millrace_mqtt_connected",
                    "millrace_pubsub_waiting");

    private Vitals() {}

    /** The gauges, seen over a connection that ends with this look and is one of them. */
    static Map<String, Double> gauges(Calls calls) {
        Map<String, Double> seen = new TreeMap<>();
        for (String line : calls.get("/metrics").text().split("\n", -1)) {
            String[] parts = line.split(" ", 2);
            if (GAUGES.contains(parts[0])) {
                seen.put(parts[0], Double.valueOf(parts[1]));
            }
        }
        if (seen.size() != GAUGES.size()) {
            throw new AssertionError("Some of the gauges are not there: " + seen);
        }
        return seen;
    }

    /** Threads by their names without numbers; virtual ones count as one kind each. */
    static Map<String, Integer> threads() {
        try {
            Path directory = Files.createTempDirectory("threads");
            Path file = directory.resolve("threads.json");
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .dumpThreads(file.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.JSON);
            Map<String, Integer> counted = new TreeMap<>();
            JsonNode dump = Json.MAPPER.readTree(Files.readAllBytes(file));
            for (JsonNode container : dump.at("/threadDump/threadContainers").values()) {
                for (JsonNode thread : container.path("threads").values()) {
                    counted.merge(kind(thread), 1, Integer::sum);
                }
            }
            Files.delete(file);
            Files.delete(directory);
            return counted;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String kind(JsonNode thread) {
        String name =
                thread.path("name").asString().replaceAll("[0-9a-f]{8}-[0-9a-f-]{27}|\\d+", "#");
        return (thread.path("virtual").asBoolean() ? "virtual " : "") + name;
    }

    /** What the system says that the process takes; the heap alone where it says nothing. */
    static long residentMegabytes() {
        try {
            return Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith("VmRSS:"))
                    .map(line -> Arrays.asList(line.trim().split("\\s+")).get(1))
                    .mapToLong(kilobytes -> Long.parseLong(kilobytes) >> 10)
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            System.gc();
            return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 20;
        }
    }
}
