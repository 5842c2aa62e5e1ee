package dev.millrace.bench.peers;

import dev.millrace.bench.Out;
import dev.millrace.bench.race.Address;
import dev.millrace.bench.race.Pace;
import dev.millrace.bench.race.PaceOptions;
import dev.millrace.bench.race.Results;
import dev.millrace.bench.race.WholeHub;
import dev.millrace.bench.readings.Bodies;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/** {@code ./millrace bench peers}. */
@Command(
        name = "peers",
        description = {
            "This hub against servers that speak the same APIs, in turns: how many requests a"
                    + " second, what one costs each, and how long it takes at one rate for both.",
            "",
            "It stores events, documents and messages on all of them and leaves them there: name"
                    + " servers that hold nothing you need. Process ids are those of the server"
                    + " and of its Redis; without them it cannot tell what a request costs.",
            ""
        },
        sortOptions = false)
public final class PeersBench implements Callable<Integer> {
    private final Out out;

    @Mixin private final PaceOptions options = new PaceOptions(5, 3, 3);

    @Option(
            names = "--edgex",
            paramLabel = "URL",
            description = "EdgeX core data, as http://localhost:48080.")
    private @Nullable String edgex;

    @Option(
            names = "--brewblox",
            paramLabel = "URL",
            description = "The Brewblox datastore, without /history.")
    private @Nullable String brewblox;

    @Option(names = "--dsps", paramLabel = "URL", description = "The durable pub/sub server.")
    private @Nullable String dsps;

    @Option(
            names = "--hub",
            paramLabel = "URL",
            description =
                    "A hub that lets this machine in (default: starts one, with its embedded Redis"
                            + " and broker).")
    private @Nullable String hub;

    @Option(
            names = "--edgex-pids",
            paramLabel = "PID",
            split = ",",
            description = "Process ids of EdgeX core data.")
    private List<Long> edgexPids = List.of();

    @Option(
            names = "--brewblox-pids",
            paramLabel = "PID",
            split = ",",
            description = "Process ids of the Brewblox datastore.")
    private List<Long> brewbloxPids = List.of();

    @Option(
            names = "--dsps-pids",
            paramLabel = "PID",
            split = ",",
            description = "Process ids of the durable pub/sub server.")
    private List<Long> dspsPids = List.of();

    @Option(
            names = "--hub-pids",
            paramLabel = "PID",
            split = ",",
            description = "Process ids of the hub of --hub.")
    private List<Long> hubPids = List.of();

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "64",
            description = "Connections, at most 256 (default: 64).")
    private int connections;

    public PeersBench(Out out) {
        this.out = out;
    }

    @Override
    public Integer call() throws Exception {
        Pace pace = options.pace(1, 0);
        if (connections < 1 || connections > Bodies.DEVICES) {
            throw new IllegalArgumentException(
                    "--connections is at least 1 and at most %d.".formatted(Bodies.DEVICES));
        }
        if (hub == null && !hubPids.isEmpty()) {
            throw new IllegalArgumentException(
                    "--hub-pids belongs to --hub; of a hub that it starts itself, it knows them.");
        }
        Map<Api, Side> peers = peers();
        if (peers.isEmpty()) {
            throw new IllegalArgumentException(
                    "name at least one to compare with: --edgex, --brewblox or --dsps, for example"
                            + " --edgex http://localhost:48080");
        }
        String text;
        if (hub == null) {
            try (WholeHub own = WholeHub.start(WholeHub.Plan.embedded(), out::say)) {
                text =
                        race(
                                pace,
                                new Side(
                                        "hub",
                                        own.address(),
                                        Processes.family(own.child().process())),
                                "The hub: started for this, with its embedded Redis and broker,"
                                        + " nobody listening",
                                peers);
            }
        } else {
            text =
                    race(
                            pace,
                            new Side("hub", Address.of(hub), Processes.of(hubPids)),
                            "The hub: at " + hub,
                            peers);
        }
        out.result(text);
        if (options.save()) {
            out.say("Saved as " + Results.save("peers", text));
        }
        return 0;
    }

    private Map<Api, Side> peers() {
        Map<Api, Side> peers = new EnumMap<>(Api.class);
        add(peers, Api.EDGEX, edgex, edgexPids);
        add(peers, Api.BREWBLOX, brewblox, brewbloxPids);
        add(peers, Api.DSPS, dsps, dspsPids);
        return peers;
    }

    private static void add(
            Map<Api, Side> peers, Api api, @Nullable String url, List<Long> processes) {
        if (url != null) {
            peers.put(api, new Side("theirs", Address.of(url), Processes.of(processes)));
        } else if (!processes.isEmpty()) {
            throw new IllegalArgumentException(
                    "there are process ids of %s, but no URL.".formatted(api.about()));
        }
    }

    private String race(Pace pace, Side own, String about, Map<Api, Side> peers) throws Exception {
        Questions questions = new Questions(connections);
        PeersRace race = new PeersRace(pace, questions, out::say);
        List<PeersReport.Section> sections = new ArrayList<>();
        for (Map.Entry<Api, Side> each : peers.entrySet()) {
            prepare(questions, each.getKey(), own);
            prepare(questions, each.getKey(), each.getValue());
            List<PeersRace.Result> results = new ArrayList<>();
            for (Deed deed :
                    Stream.of(Deed.values()).filter(d -> d.api() == each.getKey()).toList()) {
                results.add(race.run(deed, own, each.getValue()));
            }
            sections.add(new PeersReport.Section(each.getKey(), own, each.getValue(), results));
        }
        return new PeersReport(pace, connections, about, sections).text();
    }

    private static void prepare(Questions questions, Api api, Side side) {
        try {
            questions.prepare(api, side.server());
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "nobody answers at %s: %s".formatted(side.server().url(""), e.getMessage()), e);
        } catch (IllegalStateException e) {
            throw new IllegalArgumentException(
                    "%s does not answer like %s: %s"
                            .formatted(side.server().url(""), api.about(), e.getMessage()),
                    e);
        }
    }
}
