import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/fetch';
import type { ContractRouterClient } from '@orpc/contract';
import { z } from 'zod';
import { root } from '../../scripts/project.mjs';
import type { contract } from '../../src-shared/operator-contract/contract.ts';

/** Every operation of the operator contract. */
export type OperatorClient = ContractRouterClient<typeof contract>;

/** A headless node of its own, in a folder of its own, as a process. */
export interface HeadlessNode {
  readonly publicUrl: string;
  readonly consoleUrl: string;
  readonly operator: OperatorClient;
  /** What it has written to standard error so far. */
  log(): string;
  /** A link that opens the console once. */
  consoleLink(): Promise<string>;
  /** Stops it as an operator does and removes its folder; throws when it did not stop cleanly. */
  stop(): Promise<void>;
}

const READY_WITHIN_MS = 20_000;
const Ready = z.object({ event: z.literal('ready'), publicUrl: z.url(), consoleUrl: z.url() });
const Link = z.object({ url: z.url() });

/** Starts the node as built. @param flags further ones of its command line */
export async function startHeadlessNode(flags: readonly string[] = []): Promise<HeadlessNode> {
  const dataDir = mkdtempSync(join(tmpdir(), 'paydesk-e2e-'));
  const listen = ['--data-dir', dataDir, '--listen', '127.0.0.1:0', '--console', '127.0.0.1:0', '--development'];
  const child = spawn(process.execPath, [join(root, 'out/main/headless.js'), ...listen, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const failed = exited.then(([code]) => Promise.reject(new Error(`The node ended with ${code} before it was ready:\n${log}`)));
  const line = once(createInterface(child.stdout), 'line', { signal: AbortSignal.timeout(READY_WITHIN_MS) });
  const [text] = await Promise.race([line, failed]);
  const { publicUrl, consoleUrl } = Ready.parse(JSON.parse(text));
  const headers = { authorization: `Bearer ${readFileSync(join(dataDir, 'operator-token'), 'utf8').trim()}` };
  return {
    publicUrl,
    consoleUrl,
    operator: createORPCClient(new RPCLink({ url: `${consoleUrl}/operator/rpc`, headers })),
    log: () => log,
    consoleLink: async () => {
      const answer = await fetch(`${consoleUrl}/operator/links`, { method: 'POST', headers });
      return Link.parse(await answer.json()).url;
    },
    stop: async () => {
      child.kill('SIGTERM');
      const [code] = await exited;
      rmSync(dataDir, { recursive: true });
      if (code !== 0) throw new Error(`The node ended with ${code}:\n${log}`);
    },
  };
}
