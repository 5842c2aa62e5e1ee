package dev.millrace.hub.ems;

import java.util.List;
import java.util.Locale;

/**
 * A service of VoltageEMS. There each had a port of its own behind a proxy; here they share one, so
 * each route answers under its natural path and under those that the proxy knew.
 */
public enum Service {
    COMSRV,
    MODSRV,
    HISSRV,
    ALARMSRV,
    RULESRV,
    APIGATEWAY;

    private static final String API = "/api/";
    private static final String GATEWAY = "/api/v1/";

    /** As it is spelled in paths. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * All paths of what is naturally at this one, the natural one first. The proxy put the paths of
     * comsrv below {@code /api}, those of the others as they were; and not all of them began with
     * {@code /api}. What the gateway answered itself, below {@code /api/v1}, is nowhere else.
     */
    List<String> paths(String natural) {
        if (!natural.startsWith(API)) {
            throw new IllegalArgumentException("A natural path begins with /api/: " + natural);
        }
        if (natural.startsWith(GATEWAY)) {
            return List.of(natural);
        }
        String prefix = API + word();
        String rest = natural.substring(API.length() - 1);
        return switch (this) {
            case APIGATEWAY -> List.of(natural);
            case COMSRV -> List.of(natural, prefix + rest);
            case MODSRV, HISSRV, ALARMSRV, RULESRV ->
                    List.of(natural, prefix + rest, prefix + natural);
        };
    }
}
