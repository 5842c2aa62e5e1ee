package dev.millrace.keyspace;

final class ScheduleClusterTest extends ScheduleContract {
    ScheduleClusterTest() {
        super(Site.CLUSTER);
    }
}
