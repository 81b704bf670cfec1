import { once } from 'node:events';
import { speak, spoken } from '../../src-shared/words/language/language.ts';
import { commandWords } from '../../src-shared/words/terminal/commands.ts';
import { createLogger } from '../platform/logs/logger.ts';
import type { Config } from '../platform/settings/config.ts';
import { startWalletNode, type WalletNode } from '../wallet-node.ts';
import { print, printBeside } from './print.ts';

/**
 * Runs the node until a signal stops it.
 * @param rendererDir is the folder of the built console.
 * @returns the exit code: 0 after a clean stop, 1 when the node could not go on.
 */
export async function serve(config: Config, rendererDir: string): Promise<number> {
  return await run(config, rendererDir).finally(endSoon);
}

async function run(config: Config, rendererDir: string): Promise<number> {
  const log = createLogger(config.logLevel);
  // The node listens for signals before it starts, so that a signal during the start is not lost.
  const asked = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT'), once(process, 'SIGHUP')]);
  // The system and the shell both send this one when a terminal is closed. The second must not end the process at once.
  process.on('SIGHUP', () => undefined);
  const language = spoken();
  let next = config;
  for (;;) {
    // A person at the terminal reads why the node cannot start. What it says later, scripts and its log may read.
    speak(language);
    const node = await startWalletNode(next, log, { rendererDir });
    print(JSON.stringify({ event: 'ready', publicUrl: node.publicUrl, consoleUrl: node.consoleUrl }));
    await offerConsoleLink(node);
    await tellSetUpCode(node, next);
    speak('en');
    const reason = await Promise.race([asked, node.failed, node.restart]);
    await node.close();
    if (reason instanceof Error) {
      printBeside(reason.message);
      return 1;
    }
    // A signal resolves to a list with its number.
    if (Array.isArray(reason)) return 0;
    next = reason;
  }
}

/** How long the process waits at its end for somebody to read what it has written, in milliseconds. */
const LAST_LINES_MS = 1_000;

/** Ends the process also when nobody reads what it has written. It ends earlier when everything is written. */
function endSoon(): void {
  setTimeout(() => process.exit(), LAST_LINES_MS).unref();
}

/** Prints a console link. The link needs no password, so it is shown only to a person at a terminal. */
async function offerConsoleLink(node: WalletNode): Promise<void> {
  if (!process.stderr.isTTY || node.consoleUrl === undefined) return;
  const { url } = await node.operator.createLink();
  printBeside(`\n${commandWords.openConsole}\n  ${url}\n`);
}

/**
 * Prints the setup code of a node that belongs to nobody, for the first visit over the network. Whoever reads the log
 * of the node is its owner. A code that the operator has chosen is not repeated.
 */
async function tellSetUpCode(node: WalletNode, { consoleUrl, setUpCode }: Config): Promise<void> {
  if (consoleUrl === undefined) return;
  const code = await node.operator.offerSetUp(setUpCode);
  if (code !== undefined && setUpCode === undefined) printBeside(`\n${commandWords.setUp({ url: consoleUrl, code })}\n`);
}
