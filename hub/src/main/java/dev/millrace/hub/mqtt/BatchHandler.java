package dev.millrace.hub.mqtt;

import java.util.List;

/** What is done with messages that arrive, several at a time. */
@FunctionalInterface
public interface BatchHandler {
    /**
     * Takes them, in their order. When this returns, all of them are acknowledged; when it throws,
     * all of them come again after a while, and the ones behind them wait.
     */
    void receive(List<Incoming> messages);
}
