package dev.millrace.keyspace;

final class CheckResumeStandaloneTest extends CheckResumeContract {
    CheckResumeStandaloneTest() {
        super(Site.STANDALONE);
    }
}
