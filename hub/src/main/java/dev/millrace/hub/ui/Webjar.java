package dev.millrace.hub.ui;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/**
 * A library for the browser, as its jar on the class path has it. Its version stands in the path of
 * its files, so a browser may keep them for ever.
 *
 * @param files the only ones that are served
 */
record Webjar(String name, String version, List<String> files) {

    Webjar {
        files = List.copyOf(files);
    }

    static Webjar of(String group, String name, String... files) {
        String path = "/META-INF/maven/%s/%s/pom.properties".formatted(group, name);
        try (InputStream in = Webjar.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException("The library %s is missing.".formatted(name));
            }
            Properties properties = new Properties();
            properties.load(in);
            return new Webjar(name, properties.getProperty("version"), List.of(files));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where a browser finds a file. */
    String path(String file) {
        return "/ui/lib/%s/%s/%s".formatted(name, version, file);
    }

    /** The bytes of a file; empty if it is none of those that are served. */
    Optional<byte[]> read(String wantedVersion, String file) {
        return version.equals(wantedVersion) && files.contains(file)
                ? Optional.of(
                        Files.read(
                                "/META-INF/resources/webjars/%s/%s/%s"
                                        .formatted(name, version, file)))
                : Optional.empty();
    }
}
