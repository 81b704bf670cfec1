import { join } from 'node:path';
import { helpWords } from '../../src-shared/words/terminal/settings.ts';
import { NotStored } from '../platform/database/database.ts';
import { ReportedError } from '../platform/errors.ts';
import { helpText, readCommandLine } from '../platform/settings/config.ts';
import { messageLanguage, speakIn } from '../platform/settings/message-language.ts';
import { version } from '../platform/version.ts';
import { print, printBeside } from './print.ts';

/**
 * Runs the headless node until a signal stops it, or runs one command.
 * @param rendererDir is the folder of the built console.
 * @returns the exit code: 0 after a clean stop, which a signal asks for (SIGTERM, SIGINT, SIGHUP), 1 when the node
 * could not start or go on, or the command's own.
 */
export async function runHeadless(argv: readonly string[], rendererDir: string): Promise<number> {
  // Only the owner may read what the node writes, also in a folder that others may enter.
  process.umask(0o077);
  // A reader of the output may close it, and its disk may be full. That must not end the node.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  try {
    // What is wrong with the settings is said in this language too, so it comes before them.
    await speakIn(messageLanguage(argv));
    const commandLine = readCommandLine(argv);
    switch (commandLine.command) {
      case 'help':
        print(helpText(helpWords.program));
        return 0;
      case 'version':
        print(version);
        return 0;
      // A command is there a third of a second earlier when it does not load the node.
      case 'run': {
        const { serve } = await import('./serve.ts');
        return await serve(commandLine.config, rendererDir);
      }
      default: {
        const { runCommand } = await import('./commands/run-command.ts');
        const { lines, exitCode } = await runCommand(commandLine.command, commandLine, {
          builtFolder: join(rendererDir, '../main'),
          print,
        });
        for (const line of lines) print(line);
        return exitCode;
      }
    }
  } catch (error) {
    if (!(error instanceof ReportedError || error instanceof NotStored)) throw error;
    printBeside(error.message);
    return 1;
  }
}
