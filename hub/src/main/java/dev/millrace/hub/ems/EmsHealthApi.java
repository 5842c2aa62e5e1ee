package dev.millrace.hub.ems;

import dev.millrace.hub.http.Route;
import dev.millrace.keyspace.Keyspace;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Whether a service is there: each of them was a process once, and is still asked by itself. */
public final class EmsHealthApi {
    private static final double NANOS_PER_MILLI = 1e6;

    private final Service service;
    private final String version;
    private final Keyspace keyspace;
    private final InstantSource clock;

    public EmsHealthApi(Service service, String version, Keyspace keyspace, InstantSource clock) {
        this.service = service;
        this.version = version;
        this.keyspace = keyspace;
        this.clock = clock;
    }

    public List<Route> routes() {
        String about = "200 if %s can do its work; 503 if Redis is away.".formatted(service.word());
        return new EmsRoutes(service, clock)
                .alone(
                        "/api/" + service.word() + "/health",
                        route -> route.forAnyone().about(about),
                        request -> health())
                .routes();
    }

    private EmsAnswer health() {
        long start = System.nanoTime();
        keyspace.mustAnswer();
        double latency = (System.nanoTime() - start) / NANOS_PER_MILLI;
        Map<String, Object> bare = new LinkedHashMap<>();
        bare.put("status", "healthy");
        bare.put("service", service.word());
        bare.put("timestamp", Envelope.iso(clock.instant()));
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        Map<String, Object> data = new LinkedHashMap<>(bare);
        data.put("version", version);
        data.put("uptime", ManagementFactory.getRuntimeMXBean().getUptime() / 1000);
        data.put("memory_bytes", heap.getUsed());
        data.put("store_latency_ms", Math.round(latency * 1000) / 1000.0);
        return EmsAnswer.ok(data).orBare(bare);
    }
}
