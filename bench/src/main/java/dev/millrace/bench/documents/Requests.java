package dev.millrace.bench.documents;

import dev.millrace.bench.race.Address;
import dev.millrace.bench.race.HttpLoad;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** What is asked of a document store. */
public final class Requests {
    private static final String DATASTORE = "/history/datastore/";

    private final Address server;

    public Requests(Address server) {
        this.server = server;
    }

    /** Stores all documents there are. */
    public void fill() throws IOException {
        List<byte[]> all = new ArrayList<>();
        for (int namespace = 0; namespace < Samples.NAMESPACES; namespace++) {
            all.add(mset(namespace));
        }
        HttpLoad.each(server, all);
    }

    public byte[] get(int number) {
        return server.post(DATASTORE + "get", Samples.query(number, number));
    }

    public byte[] set(int number) {
        return server.post(
                DATASTORE + "set", "{\"value\":" + Samples.document(number, number) + "}");
    }

    public byte[] mget(int namespace) {
        return server.post(DATASTORE + "mget", Samples.filter(namespace));
    }

    public byte[] mgetIds(int namespace) {
        return server.post(DATASTORE + "mget", Samples.ids(namespace));
    }

    private byte[] mset(int namespace) {
        return server.post(DATASTORE + "mset", Samples.all(namespace));
    }

    /** Does it for so long, each connection with one request in flight; gives how often. */
    long repeat(Deed deed, int connections, long nanos) throws IOException {
        // Each connection is about a namespace of its own.
        List<byte[]> requests =
                IntStream.range(0, connections).mapToObj(i -> request(deed, i)).toList();
        try (HttpLoad load = new HttpLoad(server, requests, each -> {})) {
            return load.run(nanos);
        }
    }

    private byte[] request(Deed deed, int i) {
        return switch (deed) {
            case PING -> server.get("/api/v1/ping");
            case GET -> get(i);
            case SET -> set(i);
            case MGET -> mget(i);
            case MGET_IDS -> mgetIds(i);
            case MSET -> mset(i);
            case RAW_GET, RAW_MGET, RAW_SET ->
                    throw new IllegalArgumentException("Not a deed of the hub: " + deed);
        };
    }
}
