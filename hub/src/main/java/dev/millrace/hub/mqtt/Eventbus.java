package dev.millrace.hub.mqtt;

import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.http.Talk;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * {@code /eventbus}: MQTT over WebSocket, for browsers. Each WebSocket becomes a connection to the
 * broker in use, embedded or outside; the bytes go through as they are, and the broker decides who
 * logs in with what. Pages of other sites are kept out by HTTP before they get here. Thread-safe.
 */
final class Eventbus {
    private static final Logger log = LoggerFactory.getLogger(Eventbus.class);
    private static final int CONNECT_MILLIS = 10_000;

    private final Broker broker;
    private final Mqtt mqtt;
    private final int most;
    private final AtomicInteger count = new AtomicInteger();

    Eventbus(Mqtt mqtt, Broker broker, int most) {
        this.mqtt = mqtt;
        this.broker = broker;
        this.most = most;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/eventbus")
                        .withOwnCheck(
                                "The broker looks at the user name and password with which a client"
                                        + " of MQTT logs in; the password is an API token.")
                        .about("MQTT over WebSocket, with the subprotocol mqtt.")
                        .talkingBy(this::begin));
    }

    private void begin(Request request, Talk talk) {
        if (count.incrementAndGet() > most) {
            count.decrementAndGet();
            talk.close(
                    Talk.Why.TRY_LATER,
                    "There are %d connections to /eventbus already.".formatted(most));
            return;
        }
        try {
            Socket socket = connect();
            mqtt.guest(socket, request.peer());
            new Bridge(talk, socket, () -> left(socket)).run();
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            count.decrementAndGet();
            log.debug("The broker cannot be reached for a browser. reason={}", e.toString());
            talk.close(Talk.Why.TRY_LATER, "The MQTT broker cannot be reached; try again soon.");
        }
    }

    private void left(Socket socket) {
        mqtt.guestLeft(socket);
        count.decrementAndGet();
    }

    private Socket connect() throws IOException, GeneralSecurityException {
        Target target = broker.target();
        BrokerUrl url = target.url();
        Socket plain = new Socket();
        plain.connect(new InetSocketAddress(url.host(), url.port()), CONNECT_MILLIS);
        plain.setTcpNoDelay(true);
        return url.encrypted() ? encrypted(target, plain) : plain;
    }

    private static Socket encrypted(Target target, Socket plain)
            throws IOException, GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                null,
                target.trust().map(Trust::in).map(each -> each.getTrustManagers()).orElse(null),
                null);
        BrokerUrl url = target.url();
        SSLSocket socket =
                (SSLSocket)
                        context.getSocketFactory()
                                .createSocket(plain, url.host(), url.port(), true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }
}
