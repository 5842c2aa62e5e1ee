package dev.millrace.hub.telemetry;

/** Configurations of channels, from their creation to their end. */
class ChannelsTest {
    private static final String PUMP =
            """
            {"id":5,"name":"Pump","protocol":"Modbus-TCP","parameters":{"host":"h","port":502},
             "points":{"T":[{"point_id":101,"signal_name":"Flow","unit":"l/s","max_value":50},
                            {"point_id":102,"deadband":1}],"C":[{"point_id":7}]},"extra":{"kept":true}}
            """;
}
