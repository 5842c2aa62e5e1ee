package dev.millrace.keyspace;

final class CheckResumeClusterTest extends CheckResumeContract {
    CheckResumeClusterTest() {
        super(Site.CLUSTER);
    }
}
