package dev.millrace.hub.telemetry.bus.virtual;

import tools.jackson.databind.JsonNode;

import java.util.Set;

/**
 * A heated tank with an inlet, an outlet, a heater and an agitator. By itself it fills when it is
 * low, empties when it is full, and keeps its temperature; what somebody orders stays as it was
 * ordered, except that it never overflows.
 */
final class Tank implements Part {
    private static final double PERCENT = 100;
    private static final double LOW = 25;
    private static final double HIGH = 90;
    private static final double SECONDS_PER_MINUTE = 60;
    private static final double LITRE_KELVIN_PER_KILOJOULE = 1 / 4.19;
    private static final double LOSS_PER_SECOND = 0.0005;
    private static final double HYSTERESIS = 1;
    private static final double BAR_AT_FULL = 0.25;

    private final double volume;
    private final double inflow;
    private final double outflow;
    private final double heating;
    private final double ambient;
    private final double speed;
    private double litres;
    private double temperature;
    private double setpoint;
    private boolean filling = true;
    private boolean heater;
    private double inlet = Double.NaN;
    private double outlet = Double.NaN;
    private double agitator = 1;

    Tank(JsonNode parameters) {
        this.volume = Members.number(parameters, "volume_l", 1000);
        this.inflow = Members.number(parameters, "inflow_lpm", 300);
        this.outflow = Members.number(parameters, "outflow_lpm", 200);
        this.heating = Members.number(parameters, "heat_kw", 120);
        this.ambient = Members.number(parameters, "ambient", 18);
        this.speed = Members.number(parameters, "speed", 1);
        this.setpoint = Members.number(parameters, "temperature", 66);
        this.litres = volume * Members.number(parameters, "level", 50) / PERCENT;
        this.temperature = Members.number(parameters, "start_temperature", setpoint - 4);
    }

    private double level() {
        return litres / volume * PERCENT;
    }

    private boolean in() {
        return level() < PERCENT && (Double.isNaN(inlet) ? filling : inlet != 0);
    }

    private boolean out() {
        return litres > 0 && (Double.isNaN(outlet) ? !filling : outlet != 0);
    }

    @Override
    public void advance(double seconds, double by) {
        if (level() <= LOW) {
            filling = true;
        } else if (level() >= HIGH) {
            filling = false;
        }
        if (temperature < setpoint - HYSTERESIS) {
            heater = true;
        } else if (temperature > setpoint + HYSTERESIS) {
            heater = false;
        }
        double time = by * speed;
        double added = in() ? inflow * time / SECONDS_PER_MINUTE : 0;
        if (added > 0) {
            temperature = (temperature * litres + ambient * added) / (litres + added);
        }
        double taken = out() ? outflow * time / SECONDS_PER_MINUTE : 0;
        litres = Math.clamp(litres + added - taken, 0, volume);
        double heat = heater && litres > 0 ? heating * time * LITRE_KELVIN_PER_KILOJOULE : 0;
        temperature += heat / Math.max(volume / PERCENT, litres);
        temperature -= (temperature - ambient) * Math.min(1, LOSS_PER_SECOND * time);
        temperature = Math.min(PERCENT, temperature);
    }

    @Override
    public Set<String> outputs() {
        return Set.of(
                "level",
                "volume",
                "temperature",
                "pressure",
                "inflow",
                "outflow",
                "inlet",
                "outlet",
                "heater",
                "agitator");
    }

    @Override
    public Set<String> inputs() {
        return Set.of("inlet", "outlet", "agitator", "temperature");
    }

    @Override
    public double output(String name) {
        return switch (name) {
            case "level" -> level();
            case "volume" -> litres;
            case "temperature" -> temperature;
            case "pressure" -> BAR_AT_FULL * litres / volume;
            case "inflow" -> in() ? inflow : 0;
            case "outflow" -> out() ? outflow : 0;
            case "inlet" -> in() ? 1 : 0;
            case "outlet" -> out() ? 1 : 0;
            case "heater" -> heater ? 1 : 0;
            case "agitator" -> agitator;
            default -> throw new IllegalArgumentException(name);
        };
    }

    @Override
    public void input(String name, double value) {
        switch (name) {
            case "inlet" -> inlet = value;
            case "outlet" -> outlet = value;
            case "agitator" -> agitator = value;
            case "temperature" -> setpoint = value;
            default -> throw new IllegalArgumentException(name);
        }
    }
}
