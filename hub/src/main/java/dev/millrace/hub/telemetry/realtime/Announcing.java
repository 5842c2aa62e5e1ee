package dev.millrace.hub.telemetry.realtime;

/** Where a room says what it has to tell live clients. */
public interface Announcing {
    /** To be called before anything is started. */
    void announces(Announcements source);
}
