package dev.millrace.hub.mqtt;

/** A broker that a test can stop and start again, where it was and with what it had. */
public interface TestBroker extends AutoCloseable {
    BrokerUrl url();

    void stop();

    void start();

    @Override
    default void close() {
        stop();
    }
}
