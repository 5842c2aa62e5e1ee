package dev.millrace.hub.work;

import dev.millrace.keyspace.testing.SharedServers;

class DutyStandaloneTest extends DutyContract {
    @Override
    String url() {
        return SharedServers.standalone().url();
    }

    @Override
    void forgetLease() {
        SharedServers.standalone().command("DEL", "millrace:lease:sweep");
    }
}
