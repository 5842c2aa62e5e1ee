package dev.millrace.hub.telemetry.bus.virtual;

import dev.millrace.hub.telemetry.kept.PointType;

import java.util.List;

/** What a point of a virtual device shows, as time goes by. */
sealed interface Signal {
    /**
     * Its value.
     *
     * @param seconds since 1970, in the time of the device
     */
    double at(double seconds, Plant plant);

    /** Between two bounds, once in each period. */
    record Sine(double min, double max, double period, double phase) implements Signal {
        @Override
        public double at(double seconds, Plant plant) {
            double wave = Math.sin(2 * Math.PI * (seconds / period + phase));
            return min + (max - min) * (1 + wave) / 2;
        }
    }

    /** From one bound to the other, and back at once. */
    record Ramp(double min, double max, double period) implements Signal {
        @Override
        public double at(double seconds, Plant plant) {
            double place = seconds / period;
            return min + (max - min) * (place - Math.floor(place));
        }
    }

    /** One value after the other, each for so many seconds. */
    record Steps(List<Double> values, double every) implements Signal {
        @Override
        public double at(double seconds, Plant plant) {
            return values.get(
                    (int) Math.floorMod((long) Math.floor(seconds / every), (long) values.size()));
        }
    }

    /** Any value between two bounds, another one after so many seconds. */
    record Noise(long seed, double min, double max, double every) implements Signal {
        @Override
        public double at(double seconds, Plant plant) {
            return min + (max - min) * Chance.at(seed, (long) Math.floor(seconds / every));
        }
    }

    /** Wanders between two bounds. */
    record Drift(long seed, double min, double max, double period) implements Signal {
        @Override
        public double at(double seconds, Plant plant) {
            return min + (max - min) * Chance.smooth(seed, seconds, period);
        }
    }

    /** Grows all the time, and starts anew when it is full. */
    record Counter(double perSecond, double wrap) implements Signal {
        @Override
        public double at(double seconds, Plant plant) {
            return Math.floor(seconds * perSecond) % wrap;
        }
    }

    /** Always the same. */
    record Constant(double value) implements Signal {
        @Override
        public double at(double seconds, Plant plant) {
            return value;
        }
    }

    /** What was ordered last. */
    record Follows(PointType type, String point) implements Signal {
        @Override
        public double at(double seconds, Plant plant) {
            return plant.ordered(type, point);
        }
    }

    /** Something of a part of the plant. */
    record Of(String part, String output) implements Signal {
        @Override
        public double at(double seconds, Plant plant) {
            return plant.output(part, output);
        }
    }

    /** Another one that is never quite the same. */
    record Noisy(Signal signal, long seed, double most) implements Signal {
        @Override
        public double at(double seconds, Plant plant) {
            double chance = Chance.at(seed, (long) Math.floor(seconds * 1000)) * 2 - 1;
            return signal.at(seconds, plant) + chance * most;
        }
    }
}
