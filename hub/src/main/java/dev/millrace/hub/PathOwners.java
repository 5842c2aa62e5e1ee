package dev.millrace.hub;

import dev.millrace.hub.edgex.EdgexErrors;
import dev.millrace.hub.ems.EmsErrors;
import dev.millrace.hub.http.Owner;
import dev.millrace.hub.http.Owners;

import java.time.InstantSource;

/**
 * Whose path is whose. Five systems and the hub share one port; the clients of each must find the
 * errors they know, also where nothing of it is built yet.
 */
final class PathOwners {
    private PathOwners() {}

    /** The table of what several rooms share; each adds what is its own. */
    static Owners table(InstantSource clock) {
        Owner ems = Owner.compatible("ems", new EmsErrors(clock)).echoingIds().answeringHead();
        Owner edgex = Owner.compatible("edgex", new EdgexErrors()).silentOnMethods();
        return new Owners(Owner.own("hub"))
                .below(ems, "/api", "/alarmApi")
                .exactly(ems, "/ws", "/ws/v1/realtime", "/health", "/health/detailed")
                .below(edgex, "/api/v1")
                .exactly(edgex, "/api/version", "/api/v1/config")
                .below(
                        ems,
                        "/api/v1/auth",
                        "/api/v1/devices",
                        "/api/v1/realtime",
                        "/api/v1/history",
                        "/api/v1/alarms",
                        "/api/v1/control",
                        "/api/v1/users",
                        "/api/v1/stats",
                        "/api/v1/status",
                        "/api/v1/config");
    }
}
