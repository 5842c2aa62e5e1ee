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
import java.util.concurrent.locks.ReentrantLock;

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
        Place place = new Place();
        // Before anything that takes its time: the place of whoever leaves is free at once.
        talk.whileThere(() -> {}, place::leave);
        try {
            Socket socket = connect(place.plain);
            if (place.enter(() -> mqtt.guest(socket, request.peer()))) {
                try {
                    new Bridge(talk, socket).run();
                } finally {
                    mqtt.guestLeft(socket);
                }
            }
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            log.debug("The broker cannot be reached for a browser. reason={}", e.toString());
            talk.close(Talk.Why.TRY_LATER, "The MQTT broker cannot be reached; try again soon.");
        } finally {
            place.close();
        }
    }

    /** One of those who are counted, and its connection to the broker. Thread-safe. */
    private final class Place {
        final Socket plain = new Socket();
        private final ReentrantLock lock = new ReentrantLock();
        private boolean entered; // guarded by the lock
        private boolean left; // guarded by the lock

        /** Goes on, unless the client has left. */
        boolean enter(Runnable step) {
            lock.lock();
            try {
                if (!left) {
                    entered = true;
                    step.run();
                }
                return entered;
            } finally {
                lock.unlock();
            }
        }

        /** The client has left; who waits for the broker is woken. */
        void leave() {
            lock.lock();
            try {
                if (left) {
                    return;
                }
                left = true;
                count.decrementAndGet();
                if (entered) {
                    // Not closed yet: a closed socket has forgotten the address of its guest.
                    plain.shutdownInput();
                } else {
                    plain.close();
                }
            } catch (IOException e) {
                log.debug("A connection to the broker was lost before. reason={}", e.toString());
            } finally {
                lock.unlock();
            }
        }

        /** Nobody uses it any more. */
        void close() {
            leave();
            try {
                plain.close();
            } catch (IOException e) {
                log.debug("A connection to the broker was lost before. reason={}", e.toString());
            }
        }
    }

    private Socket connect(Socket plain) throws IOException, GeneralSecurityException {
        Target target = broker.target();
        BrokerUrl url = target.url();
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
