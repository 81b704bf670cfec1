import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { speak, spoken } from '../../src-shared/words/language/language.ts';
import { readCommandLine } from '../platform/settings/config.ts';
import { speakIn } from '../platform/settings/message-language.ts';
import { serve } from './serve.ts';

/** The language of the process whenever the node does something. */
const heard: string[] = [];
let restarts = 0;

vi.mock('../wallet-node.ts', () => ({
  startWalletNode: async (config: unknown) => {
    heard.push(`starts in ${spoken()}`);
    const later = <T>(value: T) =>
      new Promise<T>((resolve) => {
        setImmediate(() => {
          heard.push(`runs in ${spoken()}`);
          resolve(value);
        });
      });
    const never = new Promise<never>(() => undefined);
    const isFirst = restarts++ === 0;
    return {
      publicUrl: 'http://127.0.0.1:3000',
      consoleUrl: undefined,
      operator: { offerSetUp: async () => '7GQ4-2ZKM' },
      restart: isFirst ? later(config) : never,
      failed: isFirst ? never : later(new Error('the disk is gone')),
      close: async () => undefined,
    };
  },
}));

const printed: string[] = [];

beforeEach(() => {
  // The process would end a while after the node.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    printed.push(String(text));
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  speak('en');
});

it('a node speaks the language of the terminal each time it starts, and English while it runs', async () => {
  await speakIn('de');
  const network = ['--console-url', 'https://desk.example', '--trusted-proxies', '127.0.0.1'];
  const commandLine = readCommandLine([...network, '--log-level', 'silent'], {});
  if (commandLine.command !== 'run') throw new Error('a command');
  expect(await serve(commandLine.config, 'nowhere')).toBe(1);
  expect(heard).toEqual(['starts in de', 'runs in en', 'starts in de', 'runs in en']);
  expect(printed[0]).toBe(
    '\nDieser Knoten gehört noch niemandem. Öffnen Sie https://desk.example und geben Sie innerhalb von 24 Stunden ' +
      'diesen Einrichtungscode ein:\n  7GQ4-2ZKM\n\n',
  );
  expect(printed.at(-1)).toBe('the disk is gone\n');
});
