import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../scripts/project.mjs';
import { LANGUAGES } from '../../src-shared/words/catalogues/languages.ts';
import { createAccount } from '../support/clients/flows.ts';
import { RunningNode } from '../support/nodes/running-node.ts';

// What the built node says at a terminal, in the language of the terminal.

const HEADLESS = join(root, 'out/main/headless.js');
const GERMAN = { PAYDESK_MESSAGE_LANGUAGE: '', LC_ALL: '', LC_MESSAGES: '', LANG: 'de_DE.UTF-8' };
const PLAIN = { ...GERMAN, LANG: 'C' };

let folder: string;
let node: RunningNode;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-language-'));
  node = await RunningNode.start({ dataDir: join(folder, 'data'), env: GERMAN });
});
afterAll(async () => {
  await node?.stop();
  rmSync(folder, { recursive: true });
});

/** Types a command at a terminal of that language. */
function type(env: Readonly<Record<string, string>>, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [HEADLESS, ...args], { env: { ...process.env, ...env } }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err });
    });
  });
}

const status = (env: Readonly<Record<string, string>>) => type(env, 'status', '--data-dir', node.dataDir);

describe('a command', () => {
  it('answers in the language of the terminal', async () => {
    const german = await status(GERMAN);
    expect(german.out).toContain('Noch keine Konten.');
    const english = await status(PLAIN);
    expect(english.out).toContain('No accounts yet.');
    expect(german.code).toBe(english.code);
  });

  it('marks its checks alike in every language, as scripts look for them', async () => {
    const marks = async (env: Readonly<Record<string, string>>) => {
      const lines = (await status(env)).out.split('\n');
      return lines.flatMap((line) => /^(?:ok {2}|look|BAD ) [\w-]+:/.exec(line) ?? []);
    };
    const german = await marks(GERMAN);
    expect(german.length).toBeGreaterThan(3);
    expect(german).toEqual(await marks(PLAIN));
  });

  it('refuses in that language what was typed wrong, before it has read the settings', async () => {
    expect(await type(GERMAN, 'stauts')).toEqual({ code: 1, out: '', err: 'Es gibt keinen Befehl „stauts“. Siehe --help.\n' });
    expect((await type(GERMAN, 'status', '--listen', 'x')).err).toBe('--listen muss aussehen wie 127.0.0.1:3000, nicht „x“.\n');
  });

  it('answers in the language that was typed or set for paydesk alone', async () => {
    expect((await type(PLAIN, '--help', '--message-language=de')).out).toMatch(/^Aufruf: /);
    expect((await type({ ...PLAIN, PAYDESK_MESSAGE_LANGUAGE: 'de' }, '--help')).out).toMatch(/^Aufruf: /);
    expect((await type(GERMAN, '--help', '--message-language=en')).out).toMatch(/^Usage: /);
  });

  it.each(LANGUAGES)('explains in %s the same commands and options, without marks that would be copied', async (language) => {
    const { out } = await type({ ...PLAIN, PAYDESK_MESSAGE_LANGUAGE: language }, '--help');
    expect(out).toContain('--message-language TAG');
    expect(out).not.toMatch(/[\u2066-\u2069]/);
    const optionLines = (text: string) => text.match(/^ +--.{25}/gm);
    expect(optionLines(out)).toEqual(optionLines((await type(PLAIN, '--help')).out));
  });

  it('refuses a language that paydesk does not speak', async () => {
    const refused = await type(PLAIN, 'status', '--message-language', 'tlh');
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('--message-language cannot be "tlh": ');
    expect(refused.err).toContain('one of en, de, fr, es, pt-BR, ar');
  });

  it('says in that language what the node refuses', async () => {
    await createAccount(node, 'shop', 0n);
    const again = await type(GERMAN, 'create-account', 'shop', '--currency', 'EUR', '--data-dir', node.dataDir);
    expect(again.err).toContain('Sie haben schon ein Konto');
    const english = await type(PLAIN, 'create-account', 'shop', '--currency', 'EUR', '--data-dir', node.dataDir);
    expect(english.err).toBe('An account with this name exists already.\n');
  });
});

describe('a node', () => {
  it('says in the language of the terminal why it cannot start', async () => {
    const second = await type(GERMAN, '--data-dir', node.dataDir, '--listen', '127.0.0.1:0', '--console', '127.0.0.1:0');
    expect(second.code).toBe(1);
    expect(second.err).toContain('läuft schon ein anderes paydesk.');
  });
});
