package dev.millrace.hub.readings;

import dev.millrace.keyspace.testing.SharedServers;

class DescribedReadingsClusterTest extends DescribedReadingsContract {
    @Override
    String redisUrl() {
        return SharedServers.cluster().url();
    }
}
