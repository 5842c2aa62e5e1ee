package dev.millrace.keyspace;

final class ScheduleStandaloneTest extends ScheduleContract {
    ScheduleStandaloneTest() {
        super(Site.STANDALONE);
    }
}
