import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { Generation, readNodeState } from '../platform/generation.ts';
import type { Logger } from '../platform/logger.ts';
import type { SecretsFile } from '../platform/node-secrets.ts';
import { renewNode } from './renew-node.ts';

interface Parts {
  database: Database;
  dataFolder: string;
  secretsFile: SecretsFile;
  clock: Clock;
  log: Logger;
}

/** Goes on with the books in the data folder, once it is sure that they are the newest it has seen. Before anything else of the node starts. */
export async function continueBooks({ database, dataFolder, secretsFile, clock, log }: Parts): Promise<void> {
  const generation = new Generation({ database, dataFolder });
  const state = await readNodeState(database);
  secretsFile.settle(state?.keyId ?? null);
  if (await generation.isCopy()) {
    await renewNode({ database, generation, secretsFile, clock });
    log.warn(
      'the books were put back from a copy: tokens have ended, permissions are frozen, and payments to other nodes wait for the operator',
    );
  } else {
    await generation.advance();
  }
}
