package dev.millrace.keyspace;

final class BackupClusterTest extends BackupContract {
    BackupClusterTest() {
        super(Site.CLUSTER);
    }
}
