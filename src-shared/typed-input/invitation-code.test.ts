import { describe, expect, it } from 'vitest';
import { readInvitationCode, writeInvitationCode } from './invitation-code.ts';

const secret = Uint8Array.from({ length: 16 }, (_, at) => at * 17);
const code = writeInvitationCode({ origin: 'https://pay.example', secret });

describe('the code of an invitation', () => {
  it('is short, recognisable, and says what was put into it', () => {
    expect(code).toMatch(/^paydesk-invite-[a-z2-7]+$/);
    expect(code.length).toBeLessThan(80);
    expect(readInvitationCode(code)).toEqual({ origin: 'https://pay.example', secret });
    const local = { origin: 'http://127.0.0.1:3000', secret };
    expect(readInvitationCode(writeInvitationCode(local))).toEqual(local);
  });

  it('is read although a chat has broken the line or changed letters to capitals', () => {
    expect(readInvitationCode(` ${code.slice(0, 40)}\n ${code.slice(40).toUpperCase()} `)).toMatchObject({ origin: 'https://pay.example' });
  });

  it('is told at once to be broken when a part is missing, changed, doubled or exchanged', () => {
    for (let at = 'paydesk-invite-'.length; at < code.length; at += 1) {
      const [before, one, after] = [code.slice(0, at), code.charAt(at), code.slice(at + 1)];
      expect(readInvitationCode(before), `${at}`).toBe('broken');
      expect(readInvitationCode(before + (one === 'a' ? 'b' : 'a') + after), `${at}`).toBe('broken');
      const swapped = before + after.charAt(0) + one + after.slice(1);
      if (swapped !== code) expect(readInvitationCode(swapped), `${at}`).toBe('broken');
    }
    expect(readInvitationCode(`${code}${code}`)).toBe('broken');
    expect(readInvitationCode(`${code}.`)).toBe('broken');
  });

  it('is no other text, and leads only to an origin', () => {
    for (const text of ['', 'https://pay.example', 'hello', 'paydesk-invit']) expect(readInvitationCode(text)).toBe('unknown');
    for (const origin of ['https://pay.example/x', 'https://user@pay.example', 'https://Pay.example', 'https://']) {
      expect(readInvitationCode(writeInvitationCode({ origin, secret })), origin).toBe('broken');
    }
  });
});
