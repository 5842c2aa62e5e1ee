package dev.millrace.hub.readings;

/**
 * A reading as it was sent.
 *
 * @param binaryValue in base64; announced with the event and never stored. Empty for none
 */
record NewReading(Reading reading, String binaryValue) {}
