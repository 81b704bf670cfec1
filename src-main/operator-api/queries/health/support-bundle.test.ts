import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLogger, recentLines } from '../../../platform/logs/logger.ts';
import { type Desk, openDesk } from '../../testing/desk.ts';
import { matchingLines } from './log-lines.ts';
import { redacted, supportBundle, withoutTraces } from './support-bundle.ts';

let desk: Desk;
beforeEach(() => {
  desk = openDesk();
});
afterEach(() => desk.close());

const quietLog = () => createLogger('debug', { write: () => undefined });

describe('a support bundle', () => {
  it('holds counts, checks and log lines, and nothing about people, money and other wallets', async () => {
    const account = await desk.account('rosebud', 123_456n);
    const log = quietLog();
    log.info({ publicUrl: 'https://pay.rosebud.example', version: '0.1.0' }, 'the node is ready');
    log.debug({ method: 'GET', origin: 'https://wallet.example', pathname: '/alice', status: 404 }, 'asked elsewhere');
    log.debug({ subject: account.id, amount: '123456', note: 'For Anna', client: 'https://till.example/app' }, 'account.deposited');
    log.error({ err: new Error('no route to wallet.example for Anna') }, 'asking https://wallet.example/alice failed');
    const bundle = await supportBundle(desk.context, recentLines(log));
    const text = JSON.stringify(bundle);
    expect(bundle).toMatchObject({ version: '0.0.0', health: { database: 'good', ledger: 'good' }, counts: { accounts: 1, peers: 0 } });
    expect(bundle).toMatchObject({
      log: [{}, { msg: 'asked elsewhere', method: 'GET', status: 404, redacted: 2 }, { msg: 'account.deposited', redacted: 4 }, {}],
    });
    for (const trace of [
      'rosebud',
      '123456',
      'Anna',
      'alice',
      'wallet.example',
      'till.example',
      account.id,
      desk.folder,
      desk.context.about.publicUrl,
    ])
      expect(text, trace).not.toContain(trace);
    expect(text).toContain('the node is ready');
  });

  it.each([
    ['see https://a.example/x?y=1 now', 'see [url] now'],
    ['mail me@shop.example', 'mail [address]'],
    ['id 3f2c1a00-1111-4222-8333-444455556666', 'id [id]'],
    ['from 192.168.1.20:443', 'from [address]'],
    ['in /srv/anna/paydesk/data', 'in [path]'],
    ['D:\\anna\\data', '[path]'],
    ['host pay.example.org is away', 'host [host] is away'],
    ['paid 1,250.00 and 99999', 'paid [number] and [number]'],
    [`token ${'x'.repeat(43)}`, 'token [secret]'],
    ['it took 12 ms', 'it took 12 ms'],
  ])('leaves no trace in %j', (text, left) => expect(withoutTraces(text)).toBe(left));

  it('accepts lines that are not log lines', () => {
    expect(redacted({ number: 1, text: '{"cut' })).toEqual({ unreadable: true });
    expect(redacted({ number: 1, text: '{"level":"info","time":"t","token":"x"}' })).toEqual({
      level: 'info',
      time: 't',
      msg: '',
      redacted: 1,
    });
  });
});

describe('the log that the console shows', () => {
  it('is listed newest first, and filtered by level and by text', () => {
    const log = quietLog();
    log.debug({ path: '/x' }, 'a detail');
    log.info('a note');
    log.warn({ code: 'E_1' }, 'a warning');
    log.error('an error');
    const kept = recentLines(log);
    const messages = (wanted: Partial<Parameters<typeof matchingLines>[1]>) =>
      matchingLines(kept, { level: 'trace', limit: 10, ...wanted }).map(({ message }) => message);
    expect(messages({})).toEqual(['an error', 'a warning', 'a note', 'a detail']);
    expect(messages({ level: 'warn' })).toEqual(['an error', 'a warning']);
    expect(messages({ text: 'e_1' })).toEqual(['a warning']);
    expect(messages({ limit: 1 })).toEqual(['an error']);
    expect(matchingLines([{ number: 1, text: '{"level":"info"' }], { level: 'trace', limit: 1 })).toEqual([]);
  });
});
