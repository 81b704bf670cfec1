import { expect, test } from 'vitest';
import { ACCESS_ACTIONS, ACCESS_TYPES, type AccessRight } from './access-rights.ts';
import { type AccessNeed, allows } from './allows.ts';

const HERE = 'https://pay.example/alice';
const ELSEWHERE = 'https://pay.example/bob';
const NEEDS: readonly AccessNeed['action'][] = ['create', 'complete', 'read', 'list'];
const SATISFIED_BY: Record<AccessNeed['action'], readonly string[]> = {
  create: ['create'],
  complete: ['complete'],
  read: ['read', 'read-all'],
  list: ['list', 'list-all'],
};

test('a right allows its own type, action and wallet address, and nothing else', () => {
  let cases = 0;
  for (const type of ACCESS_TYPES) {
    for (const action of ACCESS_ACTIONS) {
      for (const identifier of [undefined, HERE, ELSEWHERE]) {
        const right: AccessRight = { type, actions: [action], ...(identifier !== undefined && { identifier }) };
        for (const neededType of ACCESS_TYPES) {
          for (const needed of NEEDS) {
            cases += 1;
            const outcome = allows([right], { type: neededType, action: needed, walletAddressUrl: HERE });
            const fits = type === neededType && SATISFIED_BY[needed].includes(action);
            if (!fits) expect(outcome).toBe('insufficient');
            else if (identifier === ELSEWHERE) expect(outcome).toBe('not_here');
            else expect(outcome).toEqual({ right, ownOnly: !action.endsWith('-all') });
          }
        }
      }
    }
  }
  expect(cases).toBe(3 * 6 * 3 * 3 * 4);
});

test('the widest right that holds here wins', () => {
  const own: AccessRight = { type: 'incoming-payment', actions: ['read'] };
  const all: AccessRight = { type: 'incoming-payment', actions: ['read-all'], identifier: HERE };
  const need = { type: 'incoming-payment', action: 'read' } as const;
  expect(allows([own, all], { ...need, walletAddressUrl: HERE })).toEqual({ right: all, ownOnly: false });
  expect(allows([own, all], { ...need, walletAddressUrl: ELSEWHERE })).toEqual({ right: own, ownOnly: true });
});

test('identifiers are compared whole', () => {
  const right: AccessRight = { type: 'quote', actions: ['create'], identifier: HERE };
  for (const walletAddressUrl of [`${HERE}/`, `${HERE}2`, HERE.toUpperCase(), HERE.slice(0, -1), '']) {
    expect(allows([right], { type: 'quote', action: 'create', walletAddressUrl })).toBe('not_here');
  }
});
