package dev.millrace.bench.documents;

/** What is done again and again. */
enum Deed {
    PING("GET /api/v1/ping, which does nothing: what the server can do", 1),
    GET("get", 1),
    SET("set", 1),
    MGET("mget of a namespace", Samples.IN_NAMESPACE),
    MGET_IDS("mget by 100 ids", Samples.IN_NAMESPACE),
    MSET("mset", Samples.IN_NAMESPACE),
    RAW_GET("the ceiling: GET by a raw client, pipelined", 1),
    RAW_MGET("the ceiling: MGET of 100 keys by a raw client, pipelined", Samples.IN_NAMESPACE),
    RAW_SET("the ceiling: SET, ZADD and XADD by a raw client, pipelined", 1);

    private final String about;
    private final int documents;

    Deed(String about, int documents) {
        this.about = about;
        this.documents = documents;
    }

    String about() {
        return about;
    }

    /** How many documents one request is about. */
    int documents() {
        return documents;
    }

    boolean isRaw() {
        return this == RAW_GET || this == RAW_MGET || this == RAW_SET;
    }

    /** What Redis does at best for this; itself for what needs no Redis. */
    Deed ceiling() {
        return switch (this) {
            case PING -> PING;
            case GET, RAW_GET -> RAW_GET;
            case MGET, MGET_IDS, RAW_MGET -> RAW_MGET;
            case SET, MSET, RAW_SET -> RAW_SET;
        };
    }
}
