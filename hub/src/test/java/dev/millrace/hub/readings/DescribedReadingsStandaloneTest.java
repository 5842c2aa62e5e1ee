package dev.millrace.hub.readings;

import dev.millrace.keyspace.testing.SharedServers;

class DescribedReadingsStandaloneTest extends DescribedReadingsContract {
    @Override
    String redisUrl() {
        return SharedServers.standalone().url();
    }
}
