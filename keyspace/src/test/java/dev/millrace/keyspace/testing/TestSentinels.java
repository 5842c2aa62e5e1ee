package dev.millrace.keyspace.testing;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A primary, replicas of it, and three sentinels that watch them: real processes, all of them. */
public final class TestSentinels implements AutoCloseable {
    private static final String NAME = "plant";
    private static final int SENTINELS = 3;

    private final List<TestServer> servers = new ArrayList<>();
    private final List<TestServer> sentinels = new ArrayList<>();

    private TestSentinels() {}

    public static TestSentinels start(int replicas, String... configLines) {
        TestSentinels group = new TestSentinels();
        boolean started = false;
        try {
            TestServer primary = TestServer.start(configLines);
            group.servers.add(primary);
            for (int i = 0; i < replicas; i++) {
                TestServer replica = TestServer.start(configLines);
                group.servers.add(replica);
                replica.command("REPLICAOF", primary.host(), Integer.toString(primary.port()));
            }
            group.awaitReplicas();
            for (int i = 0; i < SENTINELS; i++) {
                group.sentinels.add(
                        TestServer.startSentinel(
                                "sentinel monitor %s %s %d 2"
                                        .formatted(NAME, primary.host(), primary.port()),
                                // ms. Short, so that tests of a failover are.
                                "sentinel down-after-milliseconds " + NAME + " 1000",
                                "sentinel failover-timeout " + NAME + " 4000"));
            }
            group.awaitSentinels();
            started = true;
            return group;
        } finally {
            if (!started) {
                group.close();
            }
        }
    }

    public String url() {
        return "redis-sentinel://"
                + sentinels.stream()
                        .map(each -> each.host() + ":" + each.port())
                        .collect(Collectors.joining(","))
                + "/"
                + NAME;
    }

    public List<TestServer> sentinels() {
        return List.copyOf(sentinels);
    }

    public void flushAll() {
        // Asked first, so that the connection is one that is not ended yet.
        primary().flushAll();
    }

    /** The server that says of itself that it is the primary, among those that live. */
    public TestServer primary() {
        return servers.stream()
                .filter(server -> server.alive() && is(server, "master"))
                .findFirst()
                .orElseThrow();
    }

    /** The others that live. */
    public List<TestServer> replicas() {
        return servers.stream().filter(server -> server.alive() && is(server, "slave")).toList();
    }

    private static boolean is(TestServer server, String role) {
        return info(server, "role").equals(role);
    }

    private static String info(TestServer server, String field) {
        try {
            return server.info(field).orElse("");
        } catch (UncheckedIOException e) {
            // Sentinels end all connections of a server that changes its role.
            return server.info(field).orElse("");
        }
    }

    /** Until every server that lives is a primary or follows one. */
    public void awaitReplicas() {
        long followers = servers.stream().filter(TestServer::alive).count() - 1;
        Waiting.until(
                () ->
                        replicas().size() == followers
                                && replicas().stream()
                                        .allMatch(
                                                each ->
                                                        info(each, "master_link_status")
                                                                .equals("up")),
                () -> "The replicas do not follow their primary.");
    }

    private void awaitSentinels() {
        int replicas = servers.size() - 1;
        Waiting.until(
                () ->
                        sentinels.stream()
                                .allMatch(
                                        each ->
                                                each.info("master0")
                                                        .orElse("")
                                                        .endsWith(
                                                                "slaves=%d,sentinels=%d"
                                                                        .formatted(
                                                                                replicas,
                                                                                SENTINELS))),
                () -> "The sentinels do not know each other.");
    }

    @Override
    public void close() {
        sentinels.forEach(TestServer::close);
        servers.forEach(TestServer::close);
    }
}
