package dev.millrace.hub.http.openapi;

import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.http.RouteTable;

import java.util.List;

/** {@code /openapi.json}: what every route takes and gives. */
public final class OpenApiApi {
    private final String version;
    private byte[] document = {};

    public OpenApiApi(String version) {
        this.version = version;
    }

    public List<Route> routes() {
        return List.of(
                Route.get("/openapi.json")
                        .forAnyone()
                        .about("This description.")
                        .by(request -> Answer.bytes(200, "application/json", document)));
    }

    /** Once, before anything is served: the table has this route in it too. */
    public void describe(RouteTable table) {
        document = OpenApi.of(table, version);
    }
}
