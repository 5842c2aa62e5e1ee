package dev.millrace.hub.mqtt;

/** A broker that a test can stop and start again, where it was and with what it had. */
public interface TestBroker extends AutoCloseable {
    BrokerUrl url();

    /** As it stands in the settings of a hub. */
    String address();

    void stop();

    void start();

    @Override
    default void close() {
        stop();
    }
}
