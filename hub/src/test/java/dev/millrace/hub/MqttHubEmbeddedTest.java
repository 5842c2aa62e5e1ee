package dev.millrace.hub;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;

class MqttHubEmbeddedTest extends MqttHubContract {
    private int port;

    @Override
    List<String> broker(Path directory) {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return List.of("mqtt.embedded.port=" + port);
    }

    @Override
    int port() {
        return port;
    }
}
