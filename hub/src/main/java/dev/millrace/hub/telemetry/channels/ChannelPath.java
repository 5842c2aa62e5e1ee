package dev.millrace.hub.telemetry.channels;

import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.EmsRequest;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.ems.RefusedException;
import dev.millrace.hub.telemetry.kept.PointIds;

/** The channel that a path names. */
public final class ChannelPath {
    private ChannelPath() {}

    /** Its number. */
    public static int channel(EmsRequest request) {
        String text = request.variable("channel_id");
        int channel = PointIds.channel(text);
        if (channel == 0) {
            throw Refused.of(
                            EmsCode.INVALID_PARAMETER,
                            "A channel is a number from 1 to %d, not '%s'."
                                    .formatted(PointIds.LARGEST_CHANNEL, text))
                    .exception();
        }
        return channel;
    }

    /** There is no such channel. */
    public static RefusedException unknown(int channel) {
        return Refused.of(
                        EmsCode.CHANNEL_NOT_FOUND,
                        "Channel %d is not configured and has no values.".formatted(channel))
                .exception();
    }
}
