package dev.millrace.hub.readings.arriving;

import dev.millrace.hub.readings.kept.Reading;

/**
 * A reading as it was sent.
 *
 * @param binaryValue in base64; announced with the event and never stored. Empty for none
 */
public record NewReading(Reading reading, String binaryValue) {}
