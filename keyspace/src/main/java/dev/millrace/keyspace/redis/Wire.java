package dev.millrace.keyspace.redis;

import org.jspecify.annotations.Nullable;

import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisConnectionException;
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

    private final AutoCloseable channel;
    private final RedisOutputStream out;
    private final RedisInputStream in;

    /** When the watchdog may close this wire ({@code System.nanoTime}); 0 for never. */
    volatile long deadline;

    private Wire(AutoCloseable channel, InputStream in, OutputStream out) {
        this.channel = channel;
        this.in = new RedisInputStream(in, BUFFER);
        this.out = new RedisOutputStream(out, BUFFER);
    }

    /** Connects, signs in, chooses the database and loads the scripts. */
    static Wire open(
            Endpoint endpoint, RedisOptions options, Watchdog watchdog, Greeting greeting) {
        Wire wire;
        try {
            wire = connect(endpoint, options);
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
            for (byte[][] command : greeting.commands()) {
                wire.write(command);
                wire.flush();
                wire.read();
            }
            for (Script script : greeting.scripts()) {
                wire.load(script);
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

    private static Wire connect(Endpoint endpoint, RedisOptions options) throws IOException {
        if (endpoint.socket() != null && Files.exists(endpoint.socket())) {
            SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            try {
                channel.connect(UnixDomainSocketAddress.of(endpoint.socket()));
            } catch (IOException e) {
                channel.close();
                throw e;
            }
            return new Wire(
                    channel, Channels.newInputStream(channel), Channels.newOutputStream(channel));
        }
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setKeepAlive(true);
            socket.connect(
                    new InetSocketAddress(endpoint.host(), endpoint.port()),
                    (int) options.connectTime().toMillis());
        } catch (IOException e) {
            socket.close();
            throw e;
        }
        return new Wire(socket, socket.getInputStream(), socket.getOutputStream());
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
        must("CLIENT", "SETNAME", "millrace");
    }

    void load(Script script) {
        write(new byte[][] {ascii("SCRIPT"), ascii("LOAD"), script.source()});
        flush();
        if (read() instanceof ErrorReply error) {
            throw error.asException();
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
    }

    void expectNothing() {
        deadline = 0;
    }

    void write(byte[][] command) {
        try {
            head(command.length);
            for (byte[] part : command) {
                part(part);
            }
        } catch (IOException | RuntimeException e) {
            throw new BrokenWireException(e);
        }
    }

    /** Several calls of one script as a single one: their keys and arguments one after another. */
    void writeScript(Script script, Iterable<Request> calls) {
        int keys = 0;
        int args = 0;
        for (Request call : calls) {
            keys += call.keys.length;
            args += call.args.length;
        }
        try {
            head(3 + keys + args);
            part(EVALSHA);
            part(script.sha());
            part(ascii(Integer.toString(keys)));
            for (Request call : calls) {
                for (byte[] key : call.keys) {
                    part(key);
                }
            }
            for (Request call : calls) {
                for (byte[] arg : call.args) {
                    part(arg);
                }
            }
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
        } catch (JedisConnectionException e) {
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
