import { app, safeStorage } from 'electron';
import { passphraseOpens, protectionIn } from '../../platform/secrets/node-secrets.ts';
import { protectionOf, type SecretsProtection } from '../../platform/secrets/secrets-protection.ts';
import type { Config } from '../../platform/settings/config.ts';
import { askPassphrase } from '../window/passphrase-window.ts';
import { keepsKeys, keptKey, planProtection } from './kept-key.ts';

/**
 * Finds what encrypts the node's secrets on this computer. Where nothing keeps a key, it asks the operator for a
 * passphrase.
 * @returns undefined when the operator does not want to go on.
 * @throws ReportedError with what to do.
 */
export async function desktopProtection(config: Config, profile: string, preload: string): Promise<SecretsProtection | undefined> {
  const given = protectionOf(config);
  const stored = protectionIn(config.dataDir);
  const plan = planProtection({ stored, given: given !== undefined }, await keepsKeys(safeStorage, process.platform));
  switch (plan.kind) {
    case 'given':
      return given;
    case 'keychain':
      return await keptKey(profile, safeStorage);
    case 'ask': {
      const opens = (typed: string) => passphraseOpens(config.dataDir, typed);
      const passphrase = await askPassphrase({ preload, developerTools: !app.isPackaged, first: plan.first, opens });
      return passphrase === undefined ? undefined : { kind: 'passphrase', passphrase };
    }
  }
}
