package dev.millrace.hub.models;

import java.util.List;

/** Where a measurement of a model comes from. */
sealed interface Member {
    /** From a point, as it is or rescaled. */
    record Mapped(Point point, double scale, double offset) implements Member {}

    /** From other measurements of the same model. */
    record Computed(Formula formula) implements Member {}

    /** From several points. */
    record Aggregate(Function function, List<Point> sources) implements Member {
        public Aggregate {
            sources = List.copyOf(sources);
        }
    }

    /** What makes one number of several. */
    enum Function {
        AVG,
        SUM,
        MIN,
        MAX;

        double of(List<Double> values) {
            double sum = 0;
            double least = Double.POSITIVE_INFINITY;
            double most = Double.NEGATIVE_INFINITY;
            for (double each : values) {
                sum += each;
                least = Math.min(least, each);
                most = Math.max(most, each);
            }
            return switch (this) {
                case AVG -> sum / values.size();
                case SUM -> sum;
                case MIN -> least;
                case MAX -> most;
            };
        }
    }

    /**
     * A point of a device channel.
     *
     * @param type T or S to be read, C or A to be ordered
     */
    record Point(int channel, String type, String point) {
        /** The key of the values that it is one of. */
        String source() {
            return "comsrv:" + channel + ":" + type;
        }

        /** As the map names it. */
        String reference() {
            return source() + ":" + point;
        }
    }
}
