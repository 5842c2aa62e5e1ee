package dev.millrace.bench.shop;

import dev.millrace.bench.Out;
import dev.millrace.bench.race.Address;
import dev.millrace.bench.race.Child;
import dev.millrace.bench.race.Figures;
import dev.millrace.bench.race.Goal;
import dev.millrace.bench.race.HttpLoad;
import dev.millrace.bench.race.HubTurn;
import dev.millrace.bench.race.Machine;
import dev.millrace.bench.race.Pace;
import dev.millrace.bench.race.RaceOptions;
import dev.millrace.bench.race.RaceServer;
import dev.millrace.bench.race.Results;
import dev.millrace.bench.race.WholeHub;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

/** {@code ./millrace bench shop}. */
@Command(
        name = "shop",
        description = {
            "Sessions, views, carts, cached rows and cached pages of a shop over HTTP, one request"
                    + " at a time on each connection; sessions beside Spring Session with Redis,"
                    + " pages beside nginx's proxy cache, where there is an nginx.",
            ""
        },
        sortOptions = false)
public final class ShopBench implements Callable<Integer> {
    /** As the launcher has them for the hub. */
    private static final List<String> FLAGS =
            List.of("-Xms32m", "-Xmx512m", "-XX:+UseG1GC", "-XX:+UseCompactObjectHeaders");

    private final Out out;

    @Mixin private final RaceOptions options = new RaceOptions(5, 3, 3);

    @Option(
            names = "--connections",
            paramLabel = "N",
            description = "How many connections there are; 64 unless told otherwise.")
    private int connections = 64;

    public ShopBench(Out out) {
        this.out = out;
    }

    @Override
    public Integer call() throws Exception {
        Pace pace = options.pace(1, 0);
        try (RaceServer redis = options.open()) {
            Map<Deed, List<HubTurn>> turns = race(redis, pace);
            String text = text(redis, pace, turns);
            out.result(text);
            if (options.save()) {
                out.say("Saved as " + Results.save("shop", text));
            }
        }
        return 0;
    }

    private Map<Deed, List<HubTurn>> race(RaceServer redis, Pace pace) throws Exception {
        Address application = Address.local(Nginx.freePort());
        Address proxy = Address.local(Nginx.freePort());
        try (WholeHub hub =
                        WholeHub.start(
                                WholeHub.Plan.on(redis)
                                        .with(
                                                "shop.demo=true",
                                                "shop.demo-port=" + application.socket().getPort(),
                                                "shop.proxy.port=" + proxy.socket().getPort(),
                                                "shop.pages.lifetime=1h",
                                                "shop.rows.fresh=1h"),
                                out::say);
                Child plain = spring(redis, SpringSessions.PLAIN);
                Child indexed = spring(redis, SpringSessions.INDEXED)) {
            Requests.prepare(hub.address());
            Requests.popular(hub.address(), proxy);
            Optional<Nginx> nginx = Nginx.start(application);
            if (nginx.isEmpty()) {
                out.say("There is no nginx on this machine; its row is left out");
            }
            try {
                return race(redis, pace, runners(hub, plain, indexed, application, proxy, nginx));
            } finally {
                nginx.ifPresent(Nginx::close);
            }
        }
    }

    private static Map<Deed, Runner> runners(
            WholeHub hub,
            Child plain,
            Child indexed,
            Address application,
            Address proxy,
            Optional<Nginx> nginx)
            throws IOException, InterruptedException {
        Map<Deed, Runner> runners = new EnumMap<>(Deed.class);
        for (Deed deed : Deed.values()) {
            Optional<Runner> runner =
                    switch (deed) {
                        case TOUCH_PLAIN -> Optional.of(spring(plain));
                        case TOUCH_INDEXED -> Optional.of(spring(indexed));
                        case TOUCH, VIEW, CART, ROW ->
                                Optional.of(of(hub.child()::cpuNanos, hub.address(), deed));
                        case PAGE -> Optional.of(of(hub.child()::cpuNanos, proxy, deed));
                        case PAGE_APPLICATION ->
                                Optional.of(of(hub.child()::cpuNanos, application, deed));
                        case PAGE_NGINX ->
                                nginx.map(each -> of(each::cpuNanos, each.address, deed));
                    };
            runner.ifPresent(each -> runners.put(deed, each));
        }
        return runners;
    }

    private Map<Deed, List<HubTurn>> race(RaceServer redis, Pace pace, Map<Deed, Runner> runners)
            throws Exception {
        Map<Deed, List<HubTurn>> turns = new EnumMap<>(Deed.class);
        for (int round = -pace.warmups(); round < pace.rounds(); round++) {
            out.say(round < 0 ? "Warming up" : "Round " + (round + 1));
            for (Map.Entry<Deed, Runner> each : runners.entrySet()) {
                HubTurn turn = turn(redis, each.getValue(), pace.time().toNanos());
                if (round >= 0) {
                    turns.computeIfAbsent(each.getKey(), deed -> new ArrayList<>()).add(turn);
                }
            }
        }
        return turns;
    }

    private record Runner(LongSupplier cpu, Address address, List<byte[]> requests) {}

    private static Runner of(LongSupplier cpu, Address address, Deed deed) {
        return new Runner(cpu, address, Requests.of(deed, address));
    }

    private Child spring(RaceServer redis, String which) throws IOException {
        return new Child(
                "Spring",
                SpringSessions.class,
                FLAGS,
                List.of(which),
                Map.of(SpringSessions.REDIS, redis.url()),
                out::say);
    }

    private static Runner spring(Child server) throws IOException, InterruptedException {
        Address address = Address.local(Integer.parseInt(server.hear("ready")));
        return new Runner(
                server::cpuNanos, address, Requests.touches(address, Requests.logins(address)));
    }

    private HubTurn turn(RaceServer redis, Runner runner, long nanos) throws Exception {
        WholeHub.settle(runner.cpu);
        List<HttpLoad.Talker> talkers = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            int[] next = {i};
            talkers.add(
                    answer -> {
                        byte[] request = runner.requests.get(next[0] % runner.requests.size());
                        next[0] += connections;
                        return request;
                    });
        }
        try (HttpLoad load = new HttpLoad(latency -> {}, runner.address, talkers)) {
            return HubTurn.of(runner.cpu, redis, () -> load.run(nanos), () -> {});
        }
    }

    private String text(RaceServer redis, Pace pace, Map<Deed, List<HubTurn>> turns) {
        StringBuilder rows = new StringBuilder();
        turns.forEach(
                (deed, list) ->
                        rows.append(
                                String.format(
                                        Locale.ROOT,
                                        "| %s | %s | %s | %s |\n",
                                        deed.about(),
                                        cell("%,.0f", list, HubTurn::perSecond),
                                        cell("%.1f", list, HubTurn::hubMicros),
                                        cell("%.1f", list, HubTurn::redisMicros))));
        double[] others =
                turns.values().stream()
                        .flatMap(List::stream)
                        .mapToDouble(HubTurn::coresOfOthers)
                        .toArray();
        return """
        %,d visitors; a whole hub with its embedded broker, and Spring Boot on Tomcat with virtual threads.

        - Machine: %s
        - Redis: %s
        - %d connections, each with one request in flight
        - %d rounds in turns, each %s s a round, after %d for warming up; median over the rounds (smallest–largest), of ratios \
        too: each is taken within its round
        - Server, Redis: processor time of that process for one request. All of them, and the load, share the cores of this machine
        - Spring's answer to a touch is the name of the user, the hub's the whole session. The plain repository knows nothing of a \
        user's other sessions; the indexed one does, as the hub
        - Meanwhile other processes kept %s of %d cores busy

        | | requests per second | server µs | Redis µs |
        |---|---:|---:|---:|
        %s
        %s\
        """
                .formatted(
                        Requests.VISITORS,
                        Machine.about(),
                        redis.about(),
                        connections,
                        pace.rounds(),
                        Figures.number("%.1f", pace.time().toMillis() / 1000.0),
                        pace.warmups(),
                        Figures.number("%.1f", Figures.median(others)),
                        Machine.cores(),
                        rows,
                        Goal.table(
                                List.of(
                                        goal(turns, Deed.TOUCH_INDEXED, "at least 3"),
                                        goal(turns, Deed.TOUCH_PLAIN, "at least 3"),
                                        page(turns, Deed.PAGE_NGINX, "at least 0.4"),
                                        page(turns, Deed.PAGE_APPLICATION, "at least 1"))));
    }

    private static Goal goal(Map<Deed, List<HubTurn>> turns, Deed other, String bound) {
        return new Goal(
                "touches a second, hub ÷ " + other.about().replace("the same by ", ""),
                Figures.ratios(
                        figures(turns.getOrDefault(Deed.TOUCH, List.of()), HubTurn::perSecond),
                        figures(turns.getOrDefault(other, List.of()), HubTurn::perSecond)),
                bound);
    }

    private static Goal page(Map<Deed, List<HubTurn>> turns, Deed other, String bound) {
        return new Goal(
                "pages a second, proxy ÷ " + other.about().replace("the same page from ", ""),
                Figures.ratios(
                        figures(turns.getOrDefault(Deed.PAGE, List.of()), HubTurn::perSecond),
                        figures(turns.getOrDefault(other, List.of()), HubTurn::perSecond)),
                bound);
    }

    private static String cell(
            String format, List<HubTurn> turns, ToDoubleFunction<HubTurn> figure) {
        return Figures.cell(format, figures(turns, figure));
    }

    private static double[] figures(List<HubTurn> turns, ToDoubleFunction<HubTurn> figure) {
        return turns.stream().mapToDouble(figure).toArray();
    }
}
