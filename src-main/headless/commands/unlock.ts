import { commandWords } from '../../../src-shared/words/terminal/commands.ts';
import { z } from '../../../src-shared/zod.ts';
import { ReportedError } from '../../platform/errors.ts';
import { OperatorRefusal } from '../operator-connection.ts';
import type { Terminal } from '../terminal.ts';
import type { Command } from './command.ts';

const words = commandWords.unlock;
const Lock = z.object({ locked: z.boolean() });
const Wait = z.object({ secondsLeft: z.number() });

/**
 * Opens a locked node with its passphrase. The operator types it or pipes it in as one line, because other users could
 * read it on the command line.
 */
export const unlock =
  (terminal: Terminal): Command =>
  async (node) => {
    const { locked } = await node.request('GET', '/operator/api/lock', Lock);
    if (!locked) return { lines: [words.notLocked], exitCode: 0 };
    const passphrase = await terminal.askSecretly(commandWords.passphrase);
    if (passphrase === '') throw new ReportedError(words.nothingTyped);
    try {
      await node.request('POST', '/operator/api/lock/open', Lock, { passphrase });
    } catch (error) {
      throw withWait(error);
    }
    return { lines: [words.unlocked], exitCode: 0 };
  };

/** A refusal whose message also says for how long nobody can try again. */
function withWait(error: unknown): unknown {
  const seconds = error instanceof OperatorRefusal ? (Wait.safeParse(error.data).data?.secondsLeft ?? 0) : 0;
  if (!(error instanceof OperatorRefusal) || seconds <= 0) return error;
  return new ReportedError(`${error.message} ${words.wait({ seconds })}`);
}
