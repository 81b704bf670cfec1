import { describe, expect, it } from 'vitest';
import { INCOMING_STATUSES } from '../../../src-shared/incoming-status.ts';
import { payments } from '../../../src-shared/words/console/payments.ts';
import { approvalNotice, budgetNotice, claimNotice, failedNotice, manyNotice, type Notice, paidNotice } from './notices.ts';
import type { Detail } from './notification-rules.ts';

const eur = (value: bigint) => ({ value, assetCode: 'EUR', assetScale: 2 });
const payment = {
  id: 'p',
  status: 'paid' as const,
  amount: eur(1250n),
  progress: eur(1250n),
  accountName: 'Till',
  description: 'Order 7, thanks!',
  reference: 'A-7',
  failure: { code: 'receiver_closed' },
};
const client = { id: 'https://shop.example/till', host: 'shop.example/till', selfAssertedName: 'Your Bank' };
const request = { id: 'r', client };
const budget = { limit: eur(10_000n), spent: eur(8_200n), kind: 'debit' as const, windowStart: null, windowEnd: null };

/** Every notification about a single event. */
const all = (detail: Detail): Notice[] => [
  paidNotice(payment, detail),
  failedNotice(payment, detail),
  approvalNotice(request, detail),
  budgetNotice(request, budget, 80, detail),
  claimNotice(payment, detail),
];

describe('notifications', () => {
  it('say who, what and how much', () => {
    expect(all('everything')).toEqual([
      { title: 'Paid: 12.50 EUR into Till', body: 'Order 7, thanks!', screen: '/payments/p' },
      {
        title: 'A payment of 12.50 EUR from Till failed',
        body: 'The receiver has completed or expired and takes no more money. What was not sent is back in the account.',
        screen: '/payments/p',
      },
      {
        title: 'shop.example/till asks for your approval',
        body: 'Look at what it wants, then allow or refuse it.',
        screen: '/approvals/r',
      },
      { title: 'shop.example/till has used most of its budget', body: '82.00 EUR of 100.00 EUR', screen: '/apps/r' },
      {
        title: 'A customer waits for a refund',
        body: 'The money came into Till. Look at the wallet they name, then decide.',
        screen: '/payments/p',
      },
    ]);
    expect(budgetNotice(request, budget, 100, 'everything').title).toBe('shop.example/till has used all of its budget');
  });

  it('have the states of the list: what came in part is not told as paid', () => {
    const partly = { ...payment, status: 'partly_paid' as const, amount: eur(5000n) };
    const titles = (one: typeof payment | typeof partly) =>
      (['everything', 'no_amounts', 'nothing'] as const).map((detail) => paidNotice(one, detail).title);
    expect(titles(payment)).toEqual(['Paid: 12.50 EUR into Till', 'Paid', 'Paid']);
    expect(titles(partly)).toEqual(['Partly paid: 12.50 EUR into Till', 'Partly paid', 'Partly paid']);
    for (const status of INCOMING_STATUSES) expect(paidNotice({ ...payment, status }, 'nothing').title).toBe(payments.statuses[status]);
  });

  it('name no amount and no note where amounts are hidden', () => {
    for (const { title, body } of all('no_amounts')) expect(`${title} ${body}`).not.toMatch(/\d|EUR|thanks/);
  });

  it('name nobody and nothing on a locked screen', () => {
    for (const { title, body } of all('nothing')) expect(`${title} ${body}`).not.toMatch(/\d|EUR|thanks|Till|shop|Bank|receiver/i);
  });

  it('never use the name an app gives itself', () => {
    expect(approvalNotice({ id: 'r', client: { ...client, host: null } }, 'everything').title).toBe('An app asks for your approval');
  });

  it('keep what strangers wrote short and inert', () => {
    const note = `\u202e<b>You won</b>\n<a href="https://evil.example">x</a>${'y'.repeat(500)}`;
    const { body } = paidNotice({ ...payment, description: note }, 'everything');
    expect(body.startsWith('‹b›You won‹/b› ‹a href="https://evil.example"›')).toBe(true);
    expect(body).not.toMatch(/[<>\u202e\n]/);
    expect(body.length).toBeLessThanOrEqual(120);
  });

  it('count what happens often', () => {
    expect(manyNotice('many_paid', 12)).toEqual({ title: 'You were paid 12 times', body: '', screen: '/payments' });
    expect(manyNotice('many_failed', 4).screen).toBe('/payments');
    expect(manyNotice('many_claims', 4)).toEqual({ title: '4 customers wait for refunds', body: '', screen: '/' });
    expect(manyNotice('many_approvals', 4).screen).toBe('/approvals');
  });
});
