package dev.millrace.keyspace;

final class BackupStandaloneTest extends BackupContract {
    BackupStandaloneTest() {
        super(Site.STANDALONE);
    }
}
