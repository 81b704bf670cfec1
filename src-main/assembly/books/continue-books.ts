import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolderProblems } from '../../../src-shared/words/terminal/starting.ts';
import { refuseCutShort } from '../../backup/first-restore.ts';
import type { Core } from '../../platform/core.ts';
import { DATABASE_FILE } from '../../platform/data-folder/data-folder.ts';
import { GENERATION_FILE, Generation, readNodeState } from '../../platform/data-folder/generation.ts';
import { ReportedError } from '../../platform/errors.ts';
import { SECRETS_FILE, type SecretsFile } from '../../platform/secrets/node-secrets.ts';
import { renewNode } from './renew-node.ts';

interface Parts extends Pick<Core, 'database' | 'clock' | 'log'> {
  dataFolder: string;
  secretsFile: SecretsFile;
}

/**
 * Continues with the books in the data folder after it has checked that they are the newest books of this folder. Call
 * it before any other part of the node starts.
 */
export async function continueBooks({ database, dataFolder, secretsFile, clock, log }: Parts): Promise<void> {
  const generation = new Generation({ database, dataFolder });
  const state = await readNodeState(database);
  secretsFile.endRenewal(state?.keyId ?? null);
  if (await generation.isCopy()) {
    await renewNode({ database, generation, secretsFile, clock });
    log.warn(
      'the books were put back from a copy: tokens have ended, permissions are frozen, and payments to other nodes wait for the operator',
    );
  } else {
    await generation.advance();
  }
}

/**
 * Checks that a data folder in which a node has run, or into which one was restored, holds the books and the keys.
 * Call it before either is opened: a missing one would be created empty, as if the node had never run.
 * @throws ReportedError when one is missing, with what the operator can do.
 */
export function refuseLostParts(dataFolder: string): void {
  refuseCutShort(dataFolder);
  const hasBooks = (statSync(join(dataFolder, DATABASE_FILE), { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (!hasBooks && existsSync(join(dataFolder, GENERATION_FILE))) {
    throw new ReportedError(dataFolderProblems.booksMissing({ file: DATABASE_FILE, folder: dataFolder }));
  }
  if (hasBooks && !existsSync(join(dataFolder, SECRETS_FILE))) {
    throw new ReportedError(dataFolderProblems.secretsMissing({ file: SECRETS_FILE, folder: dataFolder }));
  }
}
