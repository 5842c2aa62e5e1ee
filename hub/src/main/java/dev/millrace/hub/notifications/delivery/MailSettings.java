package dev.millrace.hub.notifications.delivery;

import dev.millrace.hub.settings.Key;
import dev.millrace.hub.settings.Setting;

import java.util.Optional;

/** The mail server by which e-mail goes out. */
public record MailSettings(
        @Setting(
                        about = "the mail server by which e-mail goes out",
                        empty = "no e-mail is sent",
                        meaning = Setting.Meaning.HOST)
                Optional<String> host,
        @Setting(about = "its port", standard = "587", least = "1", most = "65535") int port,
        @Setting(about = "who logs in there", empty = "the sender") Optional<String> username,
        @Setting(
                        about = "the password to log in with",
                        empty = "nobody logs in",
                        secrecy = Key.Secrecy.SECRET)
                Optional<String> password,
        @Setting(
                        about = "the address that e-mail comes from",
                        standard = "millrace@localhost",
                        by = "oneLine")
                String sender,
        @Setting(
                        about = "the subject of every e-mail",
                        standard = "Millrace notification",
                        by = "oneLine")
                String subject,
        @Setting(
                        about = "whether the certificate of the mail server is believed unseen",
                        standard = "false")
                boolean selfSigned) {

    static String oneLine(String text) {
        if (text.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("It must be one line of text.");
        }
        return text;
    }
}
