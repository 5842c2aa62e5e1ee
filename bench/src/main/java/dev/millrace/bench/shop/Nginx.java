package dev.millrace.bench.shop;

import dev.millrace.bench.race.Address;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** The nginx of this machine, as a caching proxy in front of an application. */
final class Nginx implements AutoCloseable {
    private static final Path[] BINARIES = {
        Path.of("/usr/sbin/nginx"), Path.of("/usr/bin/nginx"), Path.of("/usr/local/sbin/nginx")
    };
    private static final long LOOK_NANOS = 20_000_000;
    private static final int MOST_LOOKS = 500;

    private final Process process;
    private final Path directory;
    final Address address;

    private Nginx(Process process, Path directory, Address address) {
        this.process = process;
        this.directory = directory;
        this.address = address;
    }

    /** Empty where there is none. */
    static Optional<Nginx> start(Address application) throws IOException {
        Optional<Path> binary = Stream.of(BINARIES).filter(Files::isExecutable).findFirst();
        if (binary.isEmpty()) {
            return Optional.empty();
        }
        int port = freePort();
        Path directory = Files.createTempDirectory("millrace-nginx");
        Path file =
                Files.writeString(
                        directory.resolve("nginx.conf"),
                        """
                        worker_processes auto;
                        pid nginx.pid;
                        error_log stderr crit;
                        events { worker_connections 4096; }
                        http {
                          access_log off;
                          keepalive_requests 1000000000;
                          proxy_cache_path cache levels=1:2 keys_zone=pages:10m;
                          client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
                          uwsgi_temp_path uwsgi; scgi_temp_path scgi;
                          server {
                            listen 127.0.0.1:%d;
                            location / {
                              proxy_pass http://%s;
                              proxy_cache pages; proxy_cache_valid 200 10m; proxy_cache_lock on;
                              add_header X-Cache $upstream_cache_status;
                            }
                          }
                        }
                        """
                                .formatted(port, application.host()));
        Process process =
                new ProcessBuilder(
                                binary.get().toString(),
                                "-p",
                                directory.toString(),
                                "-c",
                                file.toString(),
                                "-g",
                                "daemon off;" + (isRoot() ? " user root;" : ""))
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        Nginx nginx = new Nginx(process, directory, Address.local(port));
        nginx.await();
        return Optional.of(nginx);
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    private void await() throws IOException {
        for (int i = 0; i < MOST_LOOKS; i++) {
            try (Socket socket = new Socket()) {
                socket.connect(address.socket());
                return;
            } catch (IOException e) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }
        close();
        throw new IOException("nginx did not start.");
    }

    /** Of all its processes. */
    long cpuNanos() {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .mapToLong(each -> each.info().totalCpuDuration().map(Duration::toNanos).orElse(0L))
                .sum();
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
        try {
            Files.walkFileTree(
                    directory,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult visitFile(Path file, BasicFileAttributes about)
                                throws IOException {
                            Files.delete(file);
                            return FileVisitResult.CONTINUE;
                        }

                        @Override
                        public FileVisitResult postVisitDirectory(Path done, IOException failure)
                                throws IOException {
                            Files.delete(done);
                            return FileVisitResult.CONTINUE;
                        }
                    });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
