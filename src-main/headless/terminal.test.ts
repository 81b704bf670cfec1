import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { openTerminal } from './terminal.ts';

/** The two ends of a terminal or a pipe, with what has been typed so far and what the terminal shows. */
function ends(typed: string, isTTY: boolean) {
  const input = Object.assign(new PassThrough(), { isTTY });
  const output = Object.assign(new PassThrough(), { isTTY });
  input.write(typed);
  return { terminal: openTerminal(input, output), shown: () => String(output.read() ?? ''), input };
}

describe('a terminal', () => {
  it('asks a question and returns what is typed', async () => {
    const { terminal, shown } = ends(' approve \r', true);
    expect(terminal.attended).toBe(true);
    expect(await terminal.ask('Sure? ')).toBe('approve');
    expect(shown()).toContain('Sure? ');
  });

  it('shows no marks around names, because they would be copied with them', async () => {
    const { terminal, shown } = ends('\r', true);
    terminal.print('الطلب \u20685f1c\u2069');
    await terminal.ask('\u2068shop\u2069: ');
    const all = shown();
    expect(all).toContain('الطلب 5f1c\n');
    expect(all).toContain('shop: ');
    expect(all).not.toMatch(/[\u2066-\u2069]/);
    const secret = ends('\r', true);
    await secret.terminal.askSecretly('\u2068shop\u2069: ');
    expect(secret.shown()).toBe('shop: \n');
  });

  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-C after something', 'approve\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('returns an empty text after %s', async (_name, keys) => {
    expect(await ends(keys, true).terminal.ask('Sure? ')).toBe('');
    expect(await ends(keys, true).terminal.askSecretly('Passphrase: ')).toBe('');
  });

  it('shows nothing of a secret and changes no character of it', async () => {
    const { terminal, shown } = ends(' seven words \r', true);
    expect(await terminal.askSecretly('Passphrase: ')).toBe(' seven words ');
    expect(shown()).toBe('Passphrase: \n');
  });
});

describe('a pipe', () => {
  it('has no person in front of it, but can bring a secret', async () => {
    const { terminal, shown } = ends('seven words\nmore\n', false);
    expect(terminal.attended).toBe(false);
    expect(await terminal.askSecretly('Passphrase: ')).toBe('seven words');
    expect(shown()).toBe('');
  });

  it('brings an empty text when it ends', async () => {
    const { terminal, input } = ends('', false);
    input.end();
    expect(await terminal.askSecretly('Passphrase: ')).toBe('');
  });
});
