import { readFileSync } from 'node:fs';
import type { BackupContent } from '../../../src-shared/operator-contract/restore.ts';
import type { Operator } from './running-node.ts';

/** Hands a backup over to a node, and lets the node open it. */
export async function handOver(operator: Operator, file: string, passphrase: string): Promise<{ id: string; content: BackupContent }> {
  const bytes = readFileSync(file);
  const { id, partBytes } = await operator.restore.begin({ bytes: bytes.length });
  for (let offset = 0; offset < bytes.length; offset += partBytes) {
    await operator.restore.part({ id, offset, data: bytes.subarray(offset, offset + partBytes).toString('base64') });
  }
  return { id, content: await operator.restore.look({ id, passphrase }) };
}
