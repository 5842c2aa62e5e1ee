package dev.millrace.hub.cli;

import dev.millrace.hub.cli.terminal.Terminal;
import dev.millrace.keyspace.backup.BackupListener;
import dev.millrace.keyspace.backup.BackupProgress;

/** What a person hears while a backup or a restore runs. */
final class BackupNotes implements BackupListener {
    @Override
    public void progress(BackupProgress progress) {
        Terminal.note(BackupText.progress(progress));
    }
}
