import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { consoleLink } from '../support/nodes/console-link.ts';
import { RunningNode } from '../support/nodes/running-node.ts';
import { Narrator } from './narrator.ts';
import { playStory } from './story.ts';

const CLIENT_NAME = 'Garden Orders';
// A packet carries at most 5.00, so that a payment takes several. Tokens live long, for a person who takes their time.
const FLAGS = ['--max-packet-amount', '500', '--token-lifetime', '3600'];
const HELP = `Usage: npm run demo -- [--approve] [--exit]

Plays how an app asks to be paid and to pay, against a fresh node in a temporary folder. You are the operator.

  --approve   the demo does what the person and the operator would
  --exit      end when the story is told, instead of leaving the node open to look around`;

/** Plays the demo. @returns the exit code, which is 0 when everything went as the story tells. */
export async function runDemo(argv: readonly string[]): Promise<number> {
  const options = { approve: { type: 'boolean' }, exit: { type: 'boolean' }, help: { type: 'boolean' } } as const;
  let values: { approve?: boolean; exit?: boolean; help?: boolean };
  try {
    ({ values } = parseArgs({ args: [...argv], options }));
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n\n${HELP}\n`);
    return 1;
  }
  if (values.help === true) {
    process.stdout.write(`${HELP}\n`);
    return 0;
  }
  return await play({ approves: values.approve === true, exits: values.exit === true });
}

async function play({ approves, exits }: { approves: boolean; exits: boolean }): Promise<number> {
  const tell = new Narrator();
  const stopAsked = new Promise<'stop'>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve('stop'));
  });
  const dataDir = mkdtempSync(join(tmpdir(), 'paydesk-demo-'));
  const starting = RunningNode.start({ dataDir, flags: FLAGS });
  const calling = ClientWallet.start(CLIENT_NAME);
  let told = false;
  const story = async (): Promise<number> => {
    const startedAt = performance.now();
    const [node, client] = await Promise.all([starting, calling]);
    tell.step('A fresh node starts, in a temporary folder');
    tell.url(`Ready after ${((performance.now() - startedAt) / 1_000).toFixed(1)} s. Apps and other wallets reach it at`, node.publicUrl);
    if (!(approves && exits)) await offerConsole(tell, node);
    await playStory({ node, client, clientName: CLIENT_NAME, tell, approves });
    told = true;
    tell.says('', 'That was the whole story.');
    if (exits) return 0;
    tell.url('The node stays open to look around. A new link to its console:', await consoleLink(node));
    tell.wants('Press Ctrl-C to stop it and to remove the temporary folder.');
    const code = await node.exited();
    throw new Error(`The node has stopped by itself (${code}).`);
  };
  try {
    const outcome = await Promise.race([story(), stopAsked]);
    if (outcome !== 'stop') return outcome;
    return told ? 0 : 130;
  } catch (error) {
    process.stderr.write(`\nThe demo stopped: ${messageOf(error)}\n`);
    return 1;
  } finally {
    const [node, client] = await Promise.all([starting.catch(() => undefined), calling.catch(() => undefined)]);
    await Promise.all([node?.stop(), client?.stop()]);
    rmSync(dataDir, { recursive: true, force: true });
    process.stdout.write('\nThe node is stopped and its folder removed.\n');
  }
}

async function offerConsole(tell: Narrator, node: RunningNode): Promise<void> {
  tell.url('You are its operator. Open the console (once, within 10 minutes):', await consoleLink(node));
  if (!process.stdin.isTTY) return;
  tell.says('Press Enter here whenever you need a new link.');
  process.stdin.on('data', () => {
    consoleLink(node).then(
      (url) => tell.url('A new link to the console:', url),
      (error: unknown) => tell.says(`No new link: ${messageOf(error)}`),
    );
  });
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
