import { describe, expect, it } from 'vitest';
import { readableLine } from './readable-line.ts';

const read = (message: string, facts: Record<string, unknown> | '' = '') =>
  readableLine({ message, facts: facts === '' ? '' : JSON.stringify(facts) });

describe('a line of the log', () => {
  it.each([
    [200, 'Request answered: GET /incoming-payments/:id (200, in 12 ms)'],
    [401, 'Request refused: GET /incoming-payments/:id (401, in 12 ms)'],
    [500, 'Request failed: GET /incoming-payments/:id (500, in 12 ms)'],
  ])('says how a request ended with %d', (status, sentence) => {
    expect(
      read('', { requestId: 'r1', method: 'GET', route: '/incoming-payments/:id', status, ms: 12, client: 'https://a.example' }),
    ).toEqual({
      message: sentence,
      brief: [['App', 'https://a.example']],
      details: [
        ['requestId', 'r1'],
        ['method', 'GET'],
        ['route', '/incoming-payments/:id'],
        ['status', `${status}`],
        ['ms', '12'],
        ['client', 'https://a.example'],
      ],
    });
  });

  it('begins its sentence with a capital, and turns the name of an event into words', () => {
    expect(read('the node is ready').message).toBe('The node is ready');
    expect(read('outgoing_payment.completed', { subject: 'p1' }).message).toBe('Outgoing payment completed');
    expect(read('').message).toBe('A line without a message');
  });

  it('tells why something failed, however deep it stands', () => {
    expect(
      read('the scheduled backup failed', { err: { type: 'Error', message: 'no space left', code: { errno: -28 } }, none: null }),
    ).toEqual({
      message: 'The scheduled backup failed',
      brief: [['Reason', 'no space left']],
      details: [
        ['err.type', 'Error'],
        ['err.message', 'no space left'],
        ['err.code.errno', '-28'],
        ['none', 'null'],
      ],
    });
  });

  it('shows what it cannot read as it stands', () => {
    expect(readableLine({ message: 'cut', facts: '{"a":' })).toEqual({ message: 'Cut', brief: [], details: [['', '{"a":']] });
    expect(readableLine({ message: 'odd', facts: '{"__proto__":1,"toString":2}' }).brief).toEqual([]);
  });
});
