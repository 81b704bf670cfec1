import { describe, expect, it } from 'vitest';
import { openMoney } from './open-money.ts';

const eur = (value: bigint) => ({ value, assetCode: 'EUR', assetScale: 2 });
const AT = new Date(1_700_000_000_000);
const packet = (peerName: string) => ({
  ...{ peerId: peerName, peerName, amount: eur(300n), sentAt: AT, expiresAt: AT },
  state: 'unknown' as const,
  askedAgain: true,
});
const payment = { amount: eur(2_000n), progress: eur(500n), held: null, openPackets: [] };

describe('what is said about money whose fate is unknown', () => {
  it('names what is in packets, and the peer that was given them', () => {
    const open = openMoney({ ...payment, held: eur(300n), openPackets: [packet('Valley bank'), packet('Valley bank')] });
    expect(open.amount).toBe('€3.00');
    expect(open.sentence).toContain('€3.00 left your node, and Valley bank never said what became of it');
    expect(open.arrivedWords).toContain('owed to the peer');
  });

  it('names no peer where there were several', () => {
    const open = openMoney({ ...payment, held: eur(300n), openPackets: [packet('Valley bank'), packet('Harbour')] });
    expect(open.sentence).toContain('the peer it was given to never said');
  });

  it('asks in restored books about all that was not sent by then', () => {
    const open = openMoney(payment);
    expect(open.amount).toBe('€15.00');
    expect(open.sentence).toContain('put back from a backup');
    expect(open.sentence).toContain('€15.00 of it had not been sent by then');
    expect(open.arrivedWords).toContain('€15.00 then leaves your books as paid');
  });

  it('asks about a payment of which the restored books know a packet but no money in it as about a copy', () => {
    expect(openMoney({ ...payment, openPackets: [packet('Valley bank')] }).amount).toBe('€15.00');
  });
});
