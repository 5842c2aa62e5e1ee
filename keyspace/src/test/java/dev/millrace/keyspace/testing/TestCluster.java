package dev.millrace.keyspace.testing;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A Redis Cluster of real processes: three primaries, each with a third of the slots and, if
 * wanted, a replica. Nodes 0 to 2 start as primaries, 3 to 5 as their replicas; after a failover a
 * node's number says nothing about its role any more, so ask {@link #primary} or {@link
 * #slotOwner}.
 *
 * <p>Who owns a slot is asked anew each time: the owner is the live node that claims the slot with
 * the highest epoch.
 */
public final class TestCluster implements AutoCloseable {
    private static final int SLOTS = 16384;
    private static final int PRIMARIES = 3;
    private static final int MAX_REDIRECTS = 1000;

    private final List<TestServer> nodes;

    private TestCluster(List<TestServer> nodes) {
        this.nodes = nodes;
    }

    /** Three primaries. The lines go to each node's configuration and win over ours. */
    public static TestCluster start(String... configLines) {
        return start(PRIMARIES, configLines);
    }

    /** Three primaries and a replica of each. */
    public static TestCluster startWithReplicas(String... configLines) {
        return start(2 * PRIMARIES, configLines);
    }

    private static TestCluster start(int count, String... configLines) {
        String[] lines =
                Stream.concat(
                                Stream.of(
                                        "cluster-enabled yes",
                                        // ms. Short, so that tests of a failover are.
                                        "cluster-node-timeout 2000",
                                        "cluster-allow-replica-migration no",
                                        // A replica stands for election however long it was
                                        // cut off: slow machines must not decide a test.
                                        "cluster-replica-validity-factor 0"),
                                Arrays.stream(configLines))
                        .toArray(String[]::new);
        TestCluster cluster = new TestCluster(new ArrayList<>());
        boolean formed = false;
        try {
            for (int i = 0; i < count; i++) {
                cluster.nodes.add(TestServer.start(lines));
            }
            cluster.form();
            formed = true;
            return cluster;
        } finally {
            if (!formed) {
                cluster.close();
            }
        }
    }

    private void form() {
        for (int i = 0; i < nodes.size(); i++) {
            // Distinct from the start, so that the nodes need not settle it among themselves.
            command(i, "CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
            if (i < PRIMARIES) {
                command(
                        i,
                        "CLUSTER",
                        "ADDSLOTSRANGE",
                        Integer.toString(firstSlot(i)),
                        Integer.toString(firstSlot(i + 1) - 1));
            }
        }
        for (TestServer node : nodes) {
            for (TestServer other : nodes) {
                if (node != other) {
                    node.command("CLUSTER", "MEET", other.host(), Integer.toString(other.port()));
                }
            }
        }
        Waiting.until(
                () -> nodes.stream().allMatch(node -> sees(node, nodes.size())),
                () -> "The nodes of the cluster do not meet:\n" + views());
        for (int i = PRIMARIES; i < nodes.size(); i++) {
            command(i, "CLUSTER", "REPLICATE", myself(nodes.get(i - PRIMARIES)).id());
        }
        awaitOk();
    }

    private static boolean sees(TestServer node, int count) {
        List<NodeLine> lines = view(node);
        return lines.size() == count && lines.stream().noneMatch(line -> line.has("handshake"));
    }

    /** The first slot of the i-th third. */
    public static int firstSlot(int third) {
        return SLOTS * third / PRIMARIES;
    }

    public List<TestServer> nodes() {
        return List.copyOf(nodes);
    }

    public TestServer node(int index) {
        return nodes.get(index);
    }

    /** One {@code redis://} address for each node. */
    public List<String> urls() {
        return nodes.stream().map(TestServer::url).toList();
    }

    /** {@code redis-cluster://} with the nodes that start as primaries. */
    public String url() {
        String password = nodes.getFirst().password().map(word -> ":" + word + "@").orElse("");
        return nodes.stream()
                .limit(PRIMARIES)
                .map(node -> node.host() + ":" + node.port())
                .collect(Collectors.joining(",", "redis-cluster://" + password, ""));
    }

    public @Nullable Object command(int node, String... words) {
        return nodes.get(node).command(words);
    }

    /** Runs a command on the node that has this key, following redirections. */
    public @Nullable Object commandFor(String key, String... words) {
        TestServer node = slotOwner(slotOf(key));
        boolean asking = false;
        for (int attempt = 0; attempt < MAX_REDIRECTS; attempt++) {
            try {
                return asking ? node.commandAsking(words) : node.command(words);
            } catch (CommandError e) {
                if (!e.is("MOVED") && !e.is("ASK")) {
                    throw e;
                }
                asking = e.is("ASK");
                node = redirectedTo(e);
            }
        }
        throw new IllegalStateException("The nodes do not agree on " + key + ":\n" + views());
    }

    /** The node named in {@code MOVED 3999 127.0.0.1:6381}. */
    private TestServer redirectedTo(CommandError reply) {
        String message = String.valueOf(reply.getMessage());
        int port = Integer.parseInt(message.substring(message.lastIndexOf(':') + 1));
        return nodes.stream().filter(node -> node.port() == port).findFirst().orElseThrow();
    }

    /** As a server computes it. */
    public int slotOf(String key) {
        Object slot = live().findFirst().orElseThrow().command("CLUSTER", "KEYSLOT", key);
        return Math.toIntExact((Long) Objects.requireNonNull(slot));
    }

    /** The live primary of a slot; waits while there is none. */
    public TestServer slotOwner(int slot) {
        Waiting.until(
                () -> owner(slot).isPresent(), () -> "Slot " + slot + " has no owner:\n" + views());
        return owner(slot).orElseThrow();
    }

    private Optional<TestServer> owner(int slot) {
        record Claim(TestServer node, NodeLine line) {}
        return live().map(node -> new Claim(node, myself(node)))
                .filter(claim -> claim.line.has("master") && claim.line.owns(slot))
                .max(Comparator.comparingLong(claim -> claim.line.epoch()))
                .map(Claim::node);
    }

    /** The present primary of the i-th third of the slots. */
    public TestServer primary(int third) {
        return slotOwner(firstSlot(third));
    }

    /** The live replicas of the i-th third's primary. */
    public List<TestServer> replicas(int third) {
        String id = myself(primary(third)).id();
        return live().filter(node -> myself(node).primaryId().equals(id)).toList();
    }

    /** Kills the primary of the i-th third, and returns it at once; see {@link #awaitFailover}. */
    public TestServer killPrimary(int third) {
        TestServer primary = primary(third);
        primary.kill();
        return primary;
    }

    /** Waits until another node serves the i-th third and all live nodes know it. */
    public TestServer awaitFailover(int third, TestServer from) {
        Waiting.until(
                () -> owner(firstSlot(third)).filter(node -> node != from).isPresent() && ok(),
                () -> "Nobody takes over third " + third + ":\n" + views());
        return primary(third);
    }

    /** Makes the replica of the i-th third its primary, without loss; returns it when it is. */
    public TestServer failover(int third) {
        TestServer from = primary(third);
        TestServer to = replicas(third).getFirst();
        to.command("CLUSTER", "FAILOVER");
        Waiting.until(
                () -> owner(firstSlot(third)).filter(node -> node == to).isPresent() && ok(),
                () -> "The replica does not take over from " + from.port() + ":\n" + views());
        return to;
    }

    /** Waits until all live nodes agree on the owners of all slots, and replicas are in step. */
    public void awaitOk() {
        Waiting.until(this::ok, () -> "The cluster is not well:\n" + views());
    }

    private boolean ok() {
        List<TestServer> live = live().toList();
        return live.stream().allMatch(TestCluster::ok)
                && live.stream().map(TestCluster::owners).distinct().count() == 1;
    }

    private static boolean ok(TestServer node) {
        String info = String.valueOf(node.command("CLUSTER", "INFO"));
        return info.contains("cluster_state:ok")
                && info.contains("cluster_slots_ok:" + SLOTS)
                && (myself(node).has("master")
                        || node.info("master_link_status").equals(Optional.of("up")));
    }

    /** Who owns which slots, as this node believes. */
    private static Set<String> owners(TestServer node) {
        return view(node).stream()
                .filter(line -> line.has("master") && !line.slots().isEmpty())
                .map(line -> line.id() + line.slots())
                .collect(Collectors.toSet());
    }

    /** Opens a slot for migration: from now on missing keys are answered with ASK. */
    public void migrateSlotStart(int slot, TestServer from, TestServer to) {
        setSlot(to, slot, "IMPORTING", myself(from).id());
        setSlot(from, slot, "MIGRATING", myself(to).id());
    }

    /** Moves up to so many keys of an open slot; returns how many there were. */
    public int migrateKeys(int slot, TestServer from, TestServer to, int count) {
        Object found =
                from.command(
                        "CLUSTER",
                        "GETKEYSINSLOT",
                        Integer.toString(slot),
                        Integer.toString(count));
        List<?> keys = (List<?>) Objects.requireNonNull(found);
        if (keys.isEmpty()) {
            return 0;
        }
        List<String> words =
                new ArrayList<>(
                        List.of(
                                "MIGRATE",
                                to.host(),
                                Integer.toString(to.port()),
                                "",
                                "0",
                                "60000"));
        to.password().ifPresent(password -> words.addAll(List.of("AUTH", password)));
        words.add("KEYS");
        keys.forEach(key -> words.add(String.valueOf(key)));
        from.command(words.toArray(String[]::new));
        return keys.size();
    }

    /** Gives an open slot, which must be empty by now, to its new owner, for all to see. */
    public void migrateSlotFinish(int slot, TestServer from, TestServer to) {
        String owner = myself(to).id();
        // The new owner first: if the old one went first, the slot would be nobody's for a while.
        setSlot(to, slot, "NODE", owner);
        setSlot(from, slot, "NODE", owner);
        live().filter(node -> node != to && node != from && myself(node).has("master"))
                .forEach(node -> setSlot(node, slot, "NODE", owner));
        awaitOk();
    }

    /** All of a migration. */
    public void migrateSlot(int slot, TestServer to) {
        TestServer from = slotOwner(slot);
        if (from == to) {
            return;
        }
        migrateSlotStart(slot, from, to);
        while (migrateKeys(slot, from, to, 100) > 0) {
            // Until there are no more.
        }
        migrateSlotFinish(slot, from, to);
    }

    private static void setSlot(TestServer node, int slot, String state, String id) {
        node.command("CLUSTER", "SETSLOT", Integer.toString(slot), state, id);
    }

    public void flushAll() {
        live().filter(node -> myself(node).has("master")).forEach(TestServer::flushAll);
    }

    private Stream<TestServer> live() {
        return nodes.stream().filter(TestServer::alive);
    }

    private String views() {
        return live().map(node -> node.port() + ":\n" + node.command("CLUSTER", "NODES"))
                .collect(Collectors.joining("\n"));
    }

    @Override
    public void close() {
        nodes.forEach(TestServer::close);
    }

    private static NodeLine myself(TestServer node) {
        return view(node).stream().filter(line -> line.has("myself")).findFirst().orElseThrow();
    }

    private static List<NodeLine> view(TestServer node) {
        return String.valueOf(node.command("CLUSTER", "NODES")).lines().map(NodeLine::of).toList();
    }

    /** A line of CLUSTER NODES. */
    private record NodeLine(
            String id, Set<String> flags, String primaryId, long epoch, List<String> slots) {

        static NodeLine of(String line) {
            String[] words = line.split(" ");
            return new NodeLine(
                    words[0],
                    Set.of(words[2].split(",")),
                    words[3],
                    Long.parseLong(words[6]),
                    Arrays.stream(words)
                            .skip(8)
                            // In brackets: slots on the move, which do not count.
                            .filter(range -> !range.startsWith("["))
                            .toList());
        }

        boolean has(String flag) {
            return flags.contains(flag);
        }

        boolean owns(int slot) {
            return slots.stream()
                    .map(range -> range.split("-"))
                    .anyMatch(
                            ends ->
                                    Integer.parseInt(ends[0]) <= slot
                                            && slot <= Integer.parseInt(ends[ends.length - 1]));
        }
    }
}
