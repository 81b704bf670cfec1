import fc from 'fast-check';
import { isValidIlpAddress } from 'ilp-packet';
import { describe, expect, it } from 'vitest';
import { assertNodeAddress, assetSegment, isWithin, parseReceiverAddress, receiverAddress } from './ilp-address.ts';

const NODE = 'private.paydesk.node-1';
const TOKEN = Buffer.from('a token of some bytes');

const anyAsset = fc.record({ assetCode: fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }), assetScale: fc.nat(255) });

describe('receiver addresses', () => {
  it('name the asset in a readable segment', () => {
    expect(receiverAddress(NODE, { assetCode: 'USD', assetScale: 2 }, TOKEN)).toBe(`${NODE}.USD-2.${TOKEN.toString('base64url')}`);
    expect(assetSegment({ assetCode: 'gold g', assetScale: 3 })).toBe('~Z29sZCBn-3');
  });

  it('are valid ILP addresses and read back, whatever the asset is called', () => {
    fc.assert(
      fc.property(anyAsset, fc.uint8Array({ minLength: 1, maxLength: 120 }), (asset, bytes) => {
        const address = receiverAddress(NODE, asset, Buffer.from(bytes));
        expect(isValidIlpAddress(address)).toBe(true);
        expect(parseReceiverAddress(NODE, address)).toEqual({ asset, token: Buffer.from(bytes) });
      }),
    );
  });

  it('have only one spelling', () => {
    const address = receiverAddress(NODE, { assetCode: 'USD', assetScale: 2 }, Buffer.from('12 bytes and'));
    expect(parseReceiverAddress(NODE, address)).toBeDefined();
    for (const other of [
      `${address}~`,
      `${address}.more`,
      `${address}=`,
      `${address}-`,
      address.replace('USD-2', 'USD-02'),
      `${address}.`,
    ]) {
      expect(parseReceiverAddress(NODE, other), other).toBeUndefined();
    }
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9_~-]{1,40}$/), (token) => {
        const parsed = parseReceiverAddress(NODE, `${NODE}.USD-2.${token}`);
        if (parsed) expect(receiverAddress(NODE, parsed.asset, parsed.token)).toBe(`${NODE}.USD-2.${token}`);
      }),
    );
  });

  it('are not read when they belong to another node or to none', () => {
    for (const address of [
      '',
      NODE,
      `${NODE}.`,
      `${NODE}.USD-2`,
      `${NODE}2.USD-2.AAAA`,
      'private.paydesk.node.USD-2.AAAA',
      `${NODE}.USD-256.AAAA`,
    ]) {
      expect(parseReceiverAddress(NODE, address), address).toBeUndefined();
    }
    expect(isWithin(NODE, `${NODE}.x`)).toBe(true);
    expect(isWithin(NODE, `${NODE}x.x`)).toBe(false);
  });

  it('need a valid node address', () => {
    expect(() => assertNodeAddress(NODE)).not.toThrow();
    for (const wrong of ['', 'nowhere', 'private', 'private.a b', `private.${'x'.repeat(600)}`]) {
      expect(() => assertNodeAddress(wrong), wrong).toThrow(RangeError);
    }
  });
});
