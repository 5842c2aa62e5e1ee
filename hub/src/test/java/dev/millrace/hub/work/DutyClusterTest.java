package dev.millrace.hub.work;

import dev.millrace.keyspace.testing.SharedServers;

import java.util.List;
import java.util.Objects;

class DutyClusterTest extends DutyContract {
    @Override
    String url() {
        return SharedServers.cluster().url();
    }

    @Override
    void forgetLease() {
        String key = "millrace:lease:sweep";
        SharedServers.cluster()
                .nodes()
                .forEach(
                        node ->
                                ((List<?>) Objects.requireNonNull(node.command("KEYS", "*" + key)))
                                        .forEach(
                                                each -> node.command("DEL", String.valueOf(each))));
    }
}
