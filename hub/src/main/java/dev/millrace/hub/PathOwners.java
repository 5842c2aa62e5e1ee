package dev.millrace.hub;

import dev.millrace.hub.documents.BrewbloxErrors;
import dev.millrace.hub.edgex.EdgexErrors;
import dev.millrace.hub.http.Owner;
import dev.millrace.hub.http.Owners;
import dev.millrace.hub.pubsub.Pubsub;
import dev.millrace.hub.pubsub.PubsubErrors;
import dev.millrace.hub.pubsub.PubsubSettings;
import dev.millrace.hub.site.EmsErrors;

import java.time.InstantSource;

/**
 * Whose path is whose. Five systems and the hub share one port; the clients of each must find the
 * errors they know, also where nothing of it is built yet.
 */
final class PathOwners {
    private PathOwners() {}

    /**
     * The table.
     *
     * @param documents the first segment of the paths of documents
     */
    static Owners table(InstantSource clock, String documents, PubsubSettings messages) {
        Owner hub = Owner.own("hub");
        Owner shop = Owner.own("shop");
        Owner edgex = Owner.compatible("edgex", new EdgexErrors()).silentOnMethods();
        Owner ems = Owner.compatible("ems", new EmsErrors(clock)).echoingIds().answeringHead();
        Owner brewblox = Owner.compatible("brewblox", new BrewbloxErrors()).redirectingSlash();
        String prefix = messages.pathPrefix();
        Owner plain =
                Owner.compatible("pubsub", new PubsubErrors(prefix))
                        .sending(messages.defaultHeaders())
                        .noting(Pubsub.calls(messages));
        Owner pubsub = messages.cors().map(plain::allowingPages).orElse(plain);
        return new Owners(hub)
                .below(ems, "/api", "/alarmApi")
                .exactly(ems, "/ws", "/health", "/health/detailed")
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
                        "/api/v1/config")
                .below(brewblox, "/" + documents, "/eventbus")
                .below(pubsub, prefix + "/channel", prefix + "/admin", prefix + "/probe")
                .below(shop, "/shop");
    }
}
