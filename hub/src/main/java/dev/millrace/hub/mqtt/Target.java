package dev.millrace.hub.mqtt;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The broker in use, and as whom we come.
 *
 * @param trust certificates that vouch for it, as PEM; empty for those that Java trusts
 */
record Target(BrokerUrl url, Optional<Path> trust) {

    @Override
    public String toString() {
        return url.toString();
    }
}
