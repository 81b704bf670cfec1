import { hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from './data-folder.ts';
import { StartupError } from './errors.ts';

/** Keys of this node that exist nowhere else. They stay in the process: nothing logs, returns or sends them. */
export interface NodeSecrets {
  /** 32 bytes; STREAM shared secrets and addresses derive from it. Losing it ends unfinished payments. */
  readonly stream: Buffer;
  /** A 32-byte key for one purpose, derived from the node key (HKDF-SHA-256, RFC 5869). */
  derive(purpose: string): Buffer;
}

const FILE = 'node-secrets.json';

/** Reads the node's secrets, or makes them on first start, in a file only its owner can read. */
export function openNodeSecrets(dataFolder: string): NodeSecrets {
  const path = join(dataFolder, FILE);
  if (!existsSync(path)) {
    const fresh = { version: 1, node: randomBytes(32).toString('base64url'), stream: randomBytes(32).toString('base64url') };
    writePrivateFile(path, `${JSON.stringify(fresh, null, 2)}\n`);
  }
  const { node, stream } = read(path);
  return { stream, derive: (purpose) => Buffer.from(hkdfSync('sha256', node, Buffer.alloc(0), `paydesk/${purpose}`, 32)) };
}

function read(path: string): { node: Buffer; stream: Buffer } {
  try {
    const stored = JSON.parse(readFileSync(path, 'utf8')) as { node?: unknown; stream?: unknown };
    const node = Buffer.from(String(stored.node), 'base64url');
    const stream = Buffer.from(String(stored.stream), 'base64url');
    if (node.length === 32 && stream.length === 32) return { node, stream };
  } catch {
    // Falls through: the words below say what to do, the content must not be repeated.
  }
  throw new StartupError(
    `${FILE} in the data folder is damaged or cannot be read. Restore it from your backup; without it payments in progress cannot be finished.`,
  );
}
