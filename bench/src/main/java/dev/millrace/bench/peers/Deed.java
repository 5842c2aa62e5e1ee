package dev.millrace.bench.peers;

/** What is asked of both. */
enum Deed {
    POST_EVENT(Api.EDGEX, "POST event with 2 readings"),
    LATEST(Api.EDGEX, "latest 100 readings of a device"),
    LATEST_ON_ONE(Api.EDGEX, "latest 100 readings of a device"),
    SET(Api.BREWBLOX, "set"),
    GET(Api.BREWBLOX, "get"),
    MGET(Api.BREWBLOX, "mget of a namespace of 100"),
    MGET_IDS(Api.BREWBLOX, "mget by 100 ids"),
    PUBLISH(Api.DSPS, "publish"),
    FETCH(Api.DSPS, "fetch 10"),
    CYCLE(Api.DSPS, "publish, fetch, acknowledge in turns");

    private final Api api;
    private final String about;

    Deed(Api api, String about) {
        this.api = api;
        this.about = about;
    }

    Api api() {
        return api;
    }

    String about() {
        return about;
    }

    /** On how many connections it is asked, where so many are usual. */
    int connections(int usual) {
        return this == LATEST_ON_ONE ? 1 : usual;
    }
}
