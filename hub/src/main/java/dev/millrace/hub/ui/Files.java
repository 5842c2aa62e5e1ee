package dev.millrace.hub.ui;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** Files of the class path. */
final class Files {
    private Files() {}

    static byte[] read(String path) {
        try (InputStream in = Files.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException("The file %s is missing.".formatted(path));
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String type(String file) {
        return switch (file.substring(file.lastIndexOf('.') + 1)) {
            case "html" -> "text/html; charset=utf-8";
            case "js" -> "text/javascript; charset=utf-8";
            case "css" -> "text/css; charset=utf-8";
            case "svg" -> "image/svg+xml";
            case "png" -> "image/png";
            default -> throw new IllegalArgumentException(file);
        };
    }

    /** As policies for scripts and tags of versions want it. */
    static String sha256(byte[] bytes) {
        try {
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
