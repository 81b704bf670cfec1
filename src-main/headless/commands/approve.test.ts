import { describe, expect, it } from 'vitest';
import { readCommandLine } from '../../platform/settings/config.ts';
import { OperatorRefusal } from '../operator-connection.ts';
import { askedRequest, TestTerminal, unlimitedRequest } from '../testing/typed-terminal.ts';
import { approve } from './approve.ts';
import type { RunningNode } from './command.ts';

const ID = askedRequest().id;
const CONFIRM = askedRequest().shownHash;

/**
 * Types the command into `terminal`; the node has only this request.
 * @returns what the node was sent, and how the command ended.
 */
async function type(options: Record<string, string>, terminal: TestTerminal, request = askedRequest(), refusal?: OperatorRefusal) {
  const commandLine = readCommandLine(['approve', ID], {});
  if (!('config' in commandLine)) throw new Error('no command');
  const sent: unknown[] = [];
  const answers: Record<string, unknown> = {
    [`GET /operator/api/approvals/${ID}`]: request,
    [`GET /operator/api/accounts/${request.account?.id}`]: { assetCode: 'USD', assetScale: 2 },
    [`POST /operator/api/approvals/${ID}/approve`]: { approved: true },
  };
  const node: RunningNode = {
    request: async (method, path, answer, body) => {
      if (method === 'POST') sent.push(body);
      if (method === 'POST' && refusal) throw refusal;
      const text = JSON.stringify(answers[`${method} ${path}`], (_key, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      );
      return answer.parse(JSON.parse(text));
    },
  };
  const ended = await approve(terminal)(node, { operands: [ID], options, config: commandLine.config }, () => undefined).then(
    ({ lines }) => lines.join('\n'),
    (error: Error) => error.message,
  );
  return { sent, ended };
}

describe('approve at a terminal', () => {
  it('allows what is shown when the operator types the code and "approve"', async () => {
    const terminal = new TestTerminal({ answers: ['1234', 'approve'] });
    const { sent, ended } = await type({}, terminal);
    expect(sent).toEqual([{ code: '1234', shownHash: CONFIRM }]);
    expect(ended).toBe('Approved. The waiting page now goes back to shop.example by itself.');
    expect(terminal.printed.join('\n')).toContain('shop.example/till (calls itself “Corner Bookshop”)');
    expect(terminal.questions).toEqual(['Code on the page: ', 'Type "approve" to allow exactly this: ']);
  });

  it.each(['', 'y', 'yes', 'Approve', 'approve it', 'deny', '1234'])(
    'allows nothing when the operator types anything else: %j',
    async (answer) => {
      const { sent, ended } = await type({ code: '1234' }, new TestTerminal({ answers: [answer] }));
      expect({ sent, ended }).toEqual({ sent: [], ended: expect.stringMatching(/^Nothing was allowed\..*"deny 00000000-/) });
    },
  );

  it.each(['', '123', '12345', 'abcd', '１２３４'])('takes only four digits as a code, not %j', async (code) => {
    const { sent, ended } = await type({}, new TestTerminal({ answers: [code, 'approve'] }));
    expect({ sent, ended }).toEqual({ sent: [], ended: expect.stringContaining('four digits') });
  });

  it('asks for the limit that a request lacks', async () => {
    const terminal = new TestTerminal({ answers: ['7.50', '1234', 'approve'] });
    const { sent } = await type({}, terminal, unlimitedRequest());
    expect(sent).toEqual([{ code: '1234', shownHash: CONFIRM, debitLimit: '750' }]);
    expect(terminal.printed.join(' ').replace(/\s+/g, ' ')).toMatch(/By your terms .* up to \$7\.50 How often once/);
  });

  it('allows any amount when the operator types the name of the account', async () => {
    const { sent } = await type({}, new TestTerminal({ answers: ['', 'main', '1234', 'approve'] }), unlimitedRequest());
    expect(sent).toEqual([{ code: '1234', shownHash: CONFIRM, unlimitedForAccountNamed: 'main' }]);
    const wrong = await type({}, new TestTerminal({ answers: ['', 'shop', '1234', 'approve'] }), unlimitedRequest());
    expect(wrong).toEqual({ sent: [], ended: expect.stringContaining('not the name of the account') });
  });

  it('says how many attempts are left after a wrong code', async () => {
    const refusal = new OperatorRefusal({ code: 'WRONG_CODE', message: 'x', data: { attemptsLeft: 4 } });
    const { ended } = await type({ code: '1234' }, new TestTerminal({ answers: ['approve'] }), askedRequest(), refusal);
    expect(ended).toBe('That is not the code on the page. 4 attempts left.');
  });

  it('cannot allow a request whose page nobody has opened', async () => {
    const { sent, ended } = await type({}, new TestTerminal({ answers: ['1234', 'approve'] }), askedRequest({ opened: false }));
    expect({ sent, ended }).toEqual({ sent: [], ended: expect.stringContaining('It can only be denied.') });
  });
});

describe('approve in a script', () => {
  const script = () => new TestTerminal({ attended: false, answers: ['1234', 'approve'] });

  it('allows nothing when the answers are piped in', async () => {
    const terminal = script();
    const { sent, ended } = await type({ code: '1234' }, terminal);
    expect({ sent, ended }).toEqual({ sent: [], ended: expect.stringContaining('add the --confirm value') });
    expect(terminal.questions).toEqual([]);
  });

  it('allows the request whose value is given with --confirm', async () => {
    const { sent } = await type({ code: '1234', confirm: CONFIRM, limit: '1', 'last-day': '2100-01-01' }, script());
    expect(sent).toEqual([{ code: '1234', shownHash: CONFIRM, debitLimit: '100', expiresAt: new Date(2100, 0, 2).toISOString() }]);
  });

  it.each(['', 'approve', `${CONFIRM}x`])('allows nothing with another value: %j', async (confirm) => {
    const { sent, ended } = await type({ code: '1234', confirm }, script());
    expect({ sent, ended }).toEqual({ sent: [], ended: expect.stringContaining('This is not the request') });
  });

  it('asks for nothing that is missing', async () => {
    expect(await type({ confirm: CONFIRM }, script())).toEqual({ sent: [], ended: expect.stringContaining('four digits') });
    const unlimited = await type({ code: '1234', confirm: CONFIRM }, script(), unlimitedRequest());
    expect(unlimited).toEqual({ sent: [], ended: expect.stringContaining('--limit') });
  });
});
