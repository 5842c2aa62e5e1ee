package dev.millrace.hub.http;

import org.slf4j.Logger;
import org.slf4j.helpers.NOPLogger;
import org.slf4j.spi.LoggingEventBuilder;

import java.util.Map;
import java.util.function.Function;

/**
 * A line about every call of an owner's routes, for those who want one. It costs time, and wears
 * the flash of a small machine; so nothing at all is done for it while its logger is silent.
 *
 * <p>No query is in it, neither that of the call nor that of the page it came from: a query may
 * carry a token. What a caller writes is cut where it is long; whoever writes the line makes it
 * harmless.
 */
public final class CallLog {
    /** Nobody wants to know. */
    static final CallLog NONE = new CallLog(NOPLogger.NOP_LOGGER, request -> "", Map.of());

    /** Longer than any path of ours, and a line stays one that a person can read. */
    private static final int LONGEST = 512;

    private final Logger log;
    private final Function<Request, String> client;
    private final Map<String, String> variables;

    /**
     * The calls of one owner.
     *
     * @param log which has a line for each from the level info on
     * @param client from which address a request came
     * @param variables of routes that are told as well, and what to call them
     */
    public CallLog(Logger log, Function<Request, String> client, Map<String, String> variables) {
        this.log = log;
        this.client = client;
        this.variables = Map.copyOf(variables);
    }

    public boolean isOn() {
        return log.isInfoEnabled();
    }

    /**
     * Writes the line.
     *
     * @param received bytes of the body, as they came
     * @param sent bytes of the answer's body, as they went
     */
    public void write(
            String method, Request request, int status, long nanos, long received, long sent) {
        long micros = nanos / 1000;
        LoggingEventBuilder line =
                log.atInfo()
                        .addKeyValue("method", method)
                        .addKeyValue("path", cut(request.path()))
                        .addKeyValue("ip", cut(client.apply(request)))
                        .addKeyValue("ua", cut(request.header("User-Agent").orElse("")))
                        .addKeyValue("referer", cut(page(request.header("Referer").orElse(""))))
                        .addKeyValue("reqLength", received)
                        .addKeyValue("status", status)
                        .addKeyValue("elapsedMs", micros / 1000.0)
                        .addKeyValue("resLength", sent);
        for (Map.Entry<String, String> each : variables.entrySet()) {
            String value = request.variables().get(each.getKey());
            if (value != null) {
                line = line.addKeyValue(each.getValue(), cut(value));
            }
        }
        line.log("A call has ended.");
    }

    /** An address without its query and what follows. */
    private static String page(String address) {
        int end = 0;
        while (end < address.length() && "?#".indexOf(address.charAt(end)) < 0) {
            end++;
        }
        return address.substring(0, end);
    }

    private static String cut(String text) {
        if (text.length() <= LONGEST) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST;
        return text.substring(0, end) + "…";
    }
}
