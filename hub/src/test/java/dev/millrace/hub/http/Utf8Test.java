package dev.millrace.hub.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** The JDK's own strict decoder says what is UTF-8. */
class Utf8Test {
    private static boolean strict(byte[] bytes) {
        for (byte b : bytes) {
            if (b == 0) {
                return false;
            }
        }
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    private static void same(byte... bytes) {
        assertThat(Utf8.isText(bytes)).as("%s", (Object) bytes).isEqualTo(strict(bytes));
    }

    @Test
    void all_of_two_bytes_and_many_of_four_are_as_the_jdk_says() {
        for (int a = 0; a < 256; a++) {
            for (int b = 0; b < 256; b++) {
                same((byte) a, (byte) b);
            }
        }
        Random random = new Random(7);
        for (int i = 0; i < 300_000; i++) {
            byte[] bytes = new byte[1 + random.nextInt(4)];
            random.nextBytes(bytes);
            // Mostly beginnings that ask for more.
            bytes[0] = (byte) (0xC0 + random.nextInt(0x40));
            for (int k = 1; k < bytes.length; k++) {
                bytes[k] = (byte) (0x80 + random.nextInt(0x44));
            }
            same(bytes);
        }
    }
}
