package dev.millrace.hub.fuzz;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Optional;

/** Sends one request after the other over one connection, as long as that stays. */
final class HttpAttacker implements Attacker {
    private final Target target;
    private final Judge judge;
    private @Nullable Socket socket;
    private @Nullable Listening in;

    HttpAttacker(Target target, Judge judge) {
        this.target = target;
        this.judge = judge;
    }

    @Override
    public int step(Dice dice, Faults.Place place) {
        HttpShots.Shot shot = new HttpShots(target, dice).next();
        boolean rude = dice.percent(50);
        try {
            Optional<Heard> heard = Optional.empty();
            try {
                heard = send(shot);
            } catch (SocketTimeoutException e) {
                throw e;
            } catch (IOException e) {
                // A kept connection may have been closed at the same moment; a fresh one tells.
                hangUp(rude);
                heard = send(shot);
            }
            heard.ifPresent(each -> judge.heard(each, shot.label(), place, shot.bytes()));
            if (heard.isEmpty() || heard.get().last()) {
                hangUp(rude);
            }
        } catch (SocketTimeoutException e) {
            judge.faults.add(Faults.SILENT + " to " + shot.label(), place, shot.bytes(), "");
            hangUp(rude);
        } catch (IOException | NumberFormatException e) {
            judge.faults.add(
                    "half an answer to " + shot.label(), place, shot.bytes(), e.toString());
            hangUp(rude);
        }
        return 1;
    }

    private Optional<Heard> send(HttpShots.Shot shot) throws IOException {
        Socket line = socket;
        Listening answers = in;
        if (line == null || answers == null) {
            line = target.connect(target.http);
            answers = new Listening(line);
            socket = line;
            in = answers;
        }
        answers.again();
        try {
            line.getOutputStream().write(shot.bytes());
        } catch (IOException e) {
            // It may have answered before it had read everything, and that answer counts.
        }
        return Heard.read(answers, shot.bodiless());
    }

    private void hangUp(boolean rude) {
        Socket line = socket;
        socket = null;
        in = null;
        if (line != null) {
            try {
                if (rude) {
                    Target.reset(line);
                } else {
                    line.close();
                }
            } catch (IOException e) {
                // Gone is gone.
            }
        }
    }

    @Override
    public void close() {
        hangUp(false);
    }
}
