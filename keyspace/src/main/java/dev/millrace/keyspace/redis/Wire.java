package dev.millrace.keyspace.redis;

import dev.millrace.keyspace.redis.options.Endpoint;
import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.redis.options.Tls;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;

import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.RedisInputStream;
import redis.clients.jedis.util.RedisOutputStream;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * One connection: bytes out, replies in. The client library frames and parses, nothing more; who
 * sends what again, and when, is decided above ({@link Lane}).
 *
 * <p>Used by one thread at a time; {@link #close()} may come from any thread and makes a blocked
 * read fail. Neither a unix socket nor a virtual thread has a read time-out of its own, so the
 * {@link Watchdog} closes a wire whose {@link #expectWithin} has passed.
 */
final class Wire implements AutoCloseable {
    private static final int BUFFER = 64 * 1024;
    private static final byte[] EVALSHA = ascii("EVALSHA");

    /**
     * Returns those of the commands in ARGV that this user may not run; what is none is left out.
     */
    private static final byte[] MISSING_RIGHTS =
            ascii(
                    """
                    #!lua flags=no-writes
                    local missing, key = {}, ARGV[1]
                    for i = 2, #ARGV do
                      local known, allowed = pcall(redis.acl_check_cmd, ARGV[i], key, key, key, key)
                      if known and not allowed then missing[#missing + 1] = ARGV[i] end
                    end
                    return missing
                    """);

    private final AutoCloseable channel;
    private final RedisOutputStream out;
    private final RedisInputStream in;

    /** When the watchdog may close this wire ({@code System.nanoTime}); 0 for never. */
    volatile long deadline;

    private final Watchdog watchdog;

    /** When an answer came last ({@code System.nanoTime}). */
    long lastUse;

    /** Under which the server knows this connection: ids begin anew when it is restarted. */
    private final String name =
            "millrace-" + Long.toHexString(ThreadLocalRandom.current().nextLong());

    private long id;
    private final Set<Script> allowed = new HashSet<>();

    private Wire(AutoCloseable channel, InputStream in, OutputStream out, Watchdog watchdog) {
        this.watchdog = watchdog;
        this.channel = channel;
        this.in = new RedisInputStream(in, BUFFER);
        this.out = new RedisOutputStream(out, BUFFER);
    }

    /** Connects, signs in and chooses the database. */
    static Wire open(Endpoint endpoint, RedisOptions options, Watchdog watchdog) {
        return open(endpoint, options, watchdog, Greeting.NONE, null);
    }

    /**
     * Connects, signs in, chooses the database, ends its predecessor and loads the scripts.
     *
     * @param broken a connection of the same caller that was lost with something in flight, or null
     */
    static Wire open(
            Endpoint endpoint,
            RedisOptions options,
            Watchdog watchdog,
            Greeting greeting,
            @Nullable Wire broken) {
        Wire wire;
        try {
            wire = connect(endpoint, options, watchdog);
        } catch (SSLException e) {
            throw new RedisException(
                    Reason.DENIED,
                    "No encrypted connection to Redis at " + endpoint + ": " + e.getMessage(),
                    e);
        } catch (IOException e) {
            throw new RedisException(
                    Reason.UNAVAILABLE,
                    "Redis at " + endpoint + " cannot be reached (" + e.getMessage() + ").",
                    e);
        }
        watchdog.watch(wire);
        try {
            wire.expectWithin(options.answerTime().toNanos());
            wire.signIn(options);
            if (broken != null) {
                wire.silence(broken);
            }
            greeting.question().accept(wire);
            wire.say(greeting.commands());
            for (Script script : greeting.scripts()) {
                wire.loadIfAllowed(script);
            }
            wire.expectNothing();
            return wire;
        } catch (BrokenWireException e) {
            wire.close();
            throw new RedisException(
                    Reason.UNAVAILABLE,
                    "Redis at " + endpoint + " closed the connection (" + e.getMessage() + ").",
                    e);
        } catch (RedisException e) {
            wire.close();
            throw e;
        }
    }

    private static Wire connect(Endpoint endpoint, RedisOptions options, Watchdog watchdog)
            throws IOException {
        if (endpoint.socket() != null && Files.exists(endpoint.socket())) {
            SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            try {
                channel.connect(UnixDomainSocketAddress.of(endpoint.socket()));
            } catch (IOException e) {
                channel.close();
                throw e;
            }
            return new Wire(
                    channel,
                    Channels.newInputStream(channel),
                    Channels.newOutputStream(channel),
                    watchdog);
        }
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setKeepAlive(true);
            socket.connect(
                    new InetSocketAddress(endpoint.host(), endpoint.port()),
                    (int) options.connectTime().toMillis());
            Tls tls = options.tls();
            Socket speaking = tls == null ? socket : encrypted(socket, endpoint, tls, options);
            // The plain socket is what is closed: an encrypted one would say goodbye, and wait.
            return new Wire(
                    socket, speaking.getInputStream(), speaking.getOutputStream(), watchdog);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private static Socket encrypted(Socket plain, Endpoint to, Tls tls, RedisOptions options)
            throws IOException {
        SSLSocket socket =
                (SSLSocket) tls.sockets().createSocket(plain, to.host(), to.port(), true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS"); // the certificate is for this host
        socket.setSSLParameters(parameters);
        socket.setSoTimeout((int) options.connectTime().toMillis());
        socket.startHandshake();
        socket.setSoTimeout(0);
        return socket;
    }

    private void signIn(RedisOptions options) {
        if (options.password() != null) {
            if (options.user() != null) {
                must("AUTH", options.user(), options.password());
            } else {
                must("AUTH", options.password());
            }
        }
        if (options.database() != 0) {
            must("SELECT", Integer.toString(options.database()));
        }
        must("CLIENT", "SETNAME", name);
        id = exchange("CLIENT", "ID") instanceof Long number ? number : 0;
        lastUse = System.nanoTime();
    }

    /**
     * Makes sure that nothing is executed any more that was sent on a connection given up. It may
     * still be on its way, and would arrive after what is sent on this one. A user who may not do
     * this goes without.
     */
    private void silence(Wire dead) {
        String number = Long.toString(dead.id);
        if (exchange("CLIENT", "LIST", "ID", number) instanceof byte[] found
                && new String(found, StandardCharsets.UTF_8).contains("name=" + dead.name + " ")) {
            exchange("CLIENT", "KILL", "ID", number);
        }
    }

    /** A user who may not load it may still read; whoever calls it is told. */
    private void loadIfAllowed(Script script) {
        try {
            load(script);
        } catch (RedisException e) {
            if (e.reason() != Reason.DENIED) {
                throw e;
            }
        }
    }

    /**
     * Why this user may not run a script to its end, or null. A script that is stopped by a missing
     * right leaves behind what it has written before, so this is asked before its first call.
     */
    @Nullable RedisException refusal(Script script, Frame keys) {
        if (script.reads() || keys.words() == 0 || allowed.contains(script)) {
            return null;
        }
        List<byte[]> command = new ArrayList<>();
        command.add(ascii("EVAL"));
        command.add(MISSING_RIGHTS);
        command.add(ascii("0"));
        command.add(keys.split()[0]);
        command.addAll(script.commands());
        write(command.toArray(byte[][]::new));
        flush();
        if (read() instanceof List<?> missing && !missing.isEmpty()) {
            String words =
                    missing.stream()
                            .map(word -> new String((byte[]) word, StandardCharsets.US_ASCII))
                            .collect(Collectors.joining(", "));
            return new RedisException(
                    Reason.DENIED,
                    "Redis does not let this user run %s, which %s needs."
                            .formatted(words, script.name()));
        }
        allowed.add(script);
        return null;
    }

    void load(Script script) {
        write(new byte[][] {ascii("SCRIPT"), ascii("LOAD"), script.source()});
        flush();
        if (read() instanceof ErrorReply error) {
            throw error.asException();
        }
    }

    /** Sends all of them; answers do not matter. */
    void say(Collection<byte[][]> commands) {
        commands.forEach(this::write);
        flush();
        for (int i = 0; i < commands.size(); i++) {
            read();
        }
    }

    private void must(String... command) {
        Object reply = exchange(command);
        if (reply instanceof ErrorReply error) {
            throw error.asException();
        }
    }

    @Nullable Object exchange(String... command) {
        byte[][] parts = new byte[command.length][];
        for (int i = 0; i < command.length; i++) {
            parts[i] = command[i].getBytes(StandardCharsets.UTF_8);
        }
        write(parts);
        flush();
        return read();
    }

    void expectWithin(long nanos) {
        long at = System.nanoTime() + nanos;
        deadline = at == 0 ? 1 : at;
        watchdog.within(at);
    }

    void expectNothing() {
        deadline = 0;
    }

    void write(byte[][] command) {
        write(Frame.of(command));
    }

    void write(Frame command) {
        try {
            head(command.words());
            command.writeTo(out);
        } catch (IOException | RuntimeException e) {
            throw new BrokenWireException(e);
        }
    }

    /** Several calls of one script as a single one: their keys and arguments one after another. */
    void writeScript(Script script, Iterable<Request> calls) {
        int keys = 0;
        int args = 0;
        for (Request call : calls) {
            keys += call.keys.words();
            args += call.args.words();
        }
        try {
            head(3 + keys + args);
            part(EVALSHA);
            part(script.sha());
            part(ascii(Integer.toString(keys)));
            for (Request call : calls) {
                call.keys.writeTo(out);
            }
            for (Request call : calls) {
                call.args.writeTo(out);
            }
        } catch (IOException | RuntimeException e) {
            throw new BrokenWireException(e);
        }
    }

    /** A call of a script. */
    void writeScript(Packing.Call call) {
        try {
            head(3 + call.keys().words() + call.args().words());
            part(EVALSHA);
            part(call.script().sha());
            part(ascii(Integer.toString(call.keys().words())));
            call.keys().writeTo(out);
            call.args().writeTo(out);
        } catch (IOException | RuntimeException e) {
            throw new BrokenWireException(e);
        }
    }

    private void head(int parts) throws IOException {
        out.write((byte) '*');
        out.writeIntCrLf(parts);
    }

    private void part(byte[] bytes) throws IOException {
        out.write((byte) '$');
        out.writeIntCrLf(bytes.length);
        out.write(bytes);
        out.writeCrLf();
    }

    void flush() {
        try {
            out.flush();
        } catch (IOException | RuntimeException e) {
            throw new BrokenWireException(e);
        }
    }

    /** The next reply: bytes, a number, a list, null, or an {@link ErrorReply}. */
    @SuppressWarnings("deprecation") // the newer overload handles pushes, which RESP2 has none of
    @Nullable Object read() {
        try {
            return Protocol.read(in);
        } catch (JedisDataException e) {
            return new ErrorReply(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            // Not only a lost connection: after an answer that is not RESP nothing can be trusted.
            throw new BrokenWireException(e);
        }
    }

    /** The next byte of what is not a reply: a snapshot, and what a server sends before it. */
    int readByte() {
        try {
            return in.readByte() & 0xFF;
        } catch (RuntimeException e) {
            throw new BrokenWireException(e);
        }
    }

    /** Some of the next bytes of what is not a reply. */
    int readBytes(byte[] target, int from, int length) {
        try {
            return in.read(target, from, length);
        } catch (RuntimeException e) {
            throw new BrokenWireException(e);
        }
    }

    @Override
    public void close() {
        deadline = Watchdog.CLOSED;
        try {
            channel.close();
        } catch (Exception e) {
            // a connection that cannot be closed is broken already, which is what was wanted
        }
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** The connection is gone; what was in flight is decided by the lane. */
    static final class BrokenWireException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        BrokenWireException(Throwable cause) {
            super(String.valueOf(cause.getMessage()), cause);
        }
    }
}
