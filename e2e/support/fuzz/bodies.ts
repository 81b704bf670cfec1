import { nowInSeconds } from '../clients/raw-client.ts';
import type { Dice } from '../seeded.ts';

/** What requests can name: addresses, things of the client, and things of others. */
export interface Scene {
  publicUrl: string;
  client: string;
  stranger: string;
  shop: string;
  buyer: string;
  incoming: string[];
  foreignIncoming: string[];
  quotes: string[];
  outgoing: string[];
}

/** A host that refuses connections at once, so that a look-up there takes no time. */
const NOWHERE = 'http://127.0.0.1:9';
const AMOUNTS = ['1', '5', '250', '9223372036854775807', '9223372036854775808', '18446744073709551615', '18446744073709551616'];
const ODD_AMOUNTS = ['0', '', '-1', '+1', '01', '1e3', '1.0', ' 1', '1 ', '0x10', '１', '١', 'NaN', 'Infinity', '1_000', '9'.repeat(400)];

/** Values that programs often get wrong. */
const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  1e308,
  '',
  ' ',
  'x',
  '\u0000',
  '\ud800',
  '\u202egnp.exe',
  '𝕡𝕒𝕪 ☕ é́́',
  '__proto__',
  'constructor',
  "'; drop table grants; --",
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '{{7*7}}',
  'http://[::1',
  'javascript:alert(1)',
  `${NOWHERE}/till`,
  [],
  {},
  [[[[[[]]]]]],
  { toString: 1, constructor: { prototype: 1 }, length: -1 },
];

const amount = (dice: Dice) => ({
  value: dice.chance(0.9) ? dice.pick(AMOUNTS.slice(0, 3)) : dice.pick([...AMOUNTS, ...ODD_AMOUNTS]),
  assetCode: dice.chance(0.95) ? 'USD' : dice.pick(['EUR', 'usd', '', 'X'.repeat(64), 'U\u0000D']),
  assetScale: dice.chance(0.95) ? 2 : dice.pick([0, 9, 18, 255, 256, -1]),
});
const sometimes = <T>(dice: Dice, probability: number, name: string, value: () => T): Record<string, T> =>
  dice.chance(probability) ? { [name]: value() } : {};

const text = (dice: Dice): string => String.fromCodePoint(...Array.from({ length: dice.below(40) }, () => dice.below(0xd800)));
const metadata = (dice: Dice): Record<string, unknown> => ({
  externalRef: dice.uuid(),
  ...sometimes(dice, 0.3, 'description', () => text(dice)),
  ...sometimes(dice, 0.2, text(dice), () => dice.pick(ODD_VALUES)),
  ...sometimes(dice, 0.02, 'long', () => 'm'.repeat(dice.below(20_000))),
});
const expiry = (dice: Dice): string =>
  dice.pick([
    new Date((nowInSeconds() + 60 + dice.below(100_000)) * 1_000).toISOString(),
    '2099-01-01T00:00:00+14:00',
    '2001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999999999Z',
    '2099-02-30T00:00:00Z',
    '2099-01-01',
    '+275760-09-13T00:00:00.001Z',
  ]);

const walletAddress = (dice: Dice, scene: Scene): string =>
  dice.chance(0.85)
    ? dice.pick([scene.shop, scene.buyer])
    : dice.pick([`${scene.shop}/`, scene.publicUrl, `${NOWHERE}/shop`, scene.shop.toUpperCase()]);
const receiver = (dice: Dice, scene: Scene): string =>
  dice.chance(0.85)
    ? dice.pick([...scene.incoming, ...scene.foreignIncoming])
    : dice.pick([
        `${scene.publicUrl}/incoming-payments/${dice.uuid()}`,
        `${NOWHERE}/incoming-payments/${dice.uuid()}`,
        `${scene.quotes[0]}`,
      ]);

/** The makers of bodies that are valid, or wrong in the value of one member at most. */
export const BODIES = {
  incomingPayment: (dice: Dice, scene: Scene) => ({
    ...sometimes(dice, 0.9, 'walletAddress', () => walletAddress(dice, scene)),
    ...sometimes(dice, 0.5, 'incomingAmount', () => amount(dice)),
    ...sometimes(dice, 0.3, 'expiresAt', () => expiry(dice)),
    ...sometimes(dice, 0.7, 'metadata', () => metadata(dice)),
  }),
  quote: (dice: Dice, scene: Scene) => ({
    walletAddress: dice.chance(0.9) ? scene.buyer : walletAddress(dice, scene),
    receiver: receiver(dice, scene),
    method: 'ilp',
    ...sometimes(dice, 0.5, 'debitAmount', () => amount(dice)),
    ...sometimes(dice, 0.3, 'receiveAmount', () => amount(dice)),
  }),
  directPayment: (dice: Dice, scene: Scene) => ({
    walletAddress: dice.chance(0.9) ? scene.buyer : walletAddress(dice, scene),
    incomingPayment: receiver(dice, scene),
    debitAmount: amount(dice),
    ...sometimes(dice, 0.9, 'metadata', () => metadata(dice)),
  }),
  quotedPayment: (dice: Dice, scene: Scene) => ({
    walletAddress: dice.chance(0.9) ? scene.buyer : walletAddress(dice, scene),
    quoteId: dice.chance(0.9) ? dice.pick(scene.quotes) : `${scene.publicUrl}/quotes/${dice.uuid()}`,
    ...sometimes(dice, 0.5, 'metadata', () => metadata(dice)),
  }),
  grantRequest: (dice: Dice, scene: Scene) => ({
    client: dice.chance(0.9)
      ? scene.client
      : dice.pick([{ walletAddress: scene.client }, { jwk: { kid: 'x' } }, scene.stranger, `${NOWHERE}/till`]),
    ...sometimes(dice, 0.95, 'access_token', () => ({
      access: Array.from({ length: dice.chance(0.9) ? 1 : dice.below(5) }, () => access(dice, scene)),
    })),
    ...sometimes(dice, 0.05, 'subject', () => ({
      sub_ids: [{ id: dice.pick([scene.shop, `${NOWHERE}/x`]), format: dice.pick(['uri', 'email']) }],
    })),
    ...sometimes(dice, 0.3, 'interact', () => ({
      start: dice.pick([['redirect'], [], ['card', 'redirect'], ['user_code']]),
      ...sometimes(dice, 0.8, 'finish', () => ({
        method: 'redirect',
        uri: dice.pick([
          'https://app.example/back?a=1',
          'javascript:alert(1)',
          'data:text/html,x',
          'https://u:p@app.example/',
          'com.example.app:/back',
        ]),
        nonce: dice.pick(['n-1', dice.uuid(), 'a b', '', 'n\nn']),
      })),
    })),
  }),
  continuation: (dice: Dice) =>
    dice.pick([{}, { interact_ref: dice.uuid() }, { interact_ref: '' }, { interact_ref: 'r'.repeat(513) }, { other: 1 }]),
};

function access(dice: Dice, scene: Scene): object {
  const type = dice.pick(['incoming-payment', 'incoming-payment', 'quote', 'outgoing-payment', 'wallet']);
  const actions = Array.from({ length: 1 + dice.below(3) }, () =>
    dice.pick(['create', 'read', 'read-all', 'list', 'complete', 'list-all', 'delete']),
  );
  return {
    type,
    actions: dice.chance(0.9) ? [...new Set(actions)] : actions,
    ...sometimes(dice, type === 'outgoing-payment' ? 0.9 : 0.3, 'identifier', () => walletAddress(dice, scene)),
    ...sometimes(dice, type === 'outgoing-payment' ? 0.9 : 0.05, 'limits', () => ({
      ...sometimes(dice, 0.7, 'debitAmount', () => amount(dice)),
      ...sometimes(dice, 0.2, 'receiveAmount', () => amount(dice)),
      ...sometimes(dice, 0.2, 'receiver', () => receiver(dice, scene)),
      ...sometimes(dice, 0.5, 'interval', () =>
        dice.pick([
          'R/2026-01-01T00:00:00Z/P1M',
          'R12/2026-01-31T00:00:00Z/P1M',
          'R-1/P1D/2026-01-01T00:00:00Z',
          'R0/x/P1D',
          'R/2026-01-01T00:00:00Z/PT0S',
          'R9e9//',
        ]),
      ),
    })),
  };
}

/** Changes one place of a JSON value: another value, one member less, or one more. */
export function mutated(dice: Dice, value: unknown): unknown {
  if (Array.isArray(value)) {
    if (value.length === 0 || dice.chance(0.3))
      return dice.pick<unknown>([[], [...value, ...value], [...value, dice.pick(ODD_VALUES)], { ...value }]);
    const at = dice.below(value.length);
    return value.map((item: unknown, index) => (index === at ? mutated(dice, item) : item));
  }
  if (typeof value !== 'object' || value === null) return dice.pick(ODD_VALUES);
  const entries = Object.entries(value);
  const fate = dice.below(10);
  if (fate === 0 || entries.length === 0) return { ...value, [dice.pick(['extra', 'id', 'hasOwnProperty', ''])]: dice.pick(ODD_VALUES) };
  if (fate === 1) return [value];
  const at = dice.below(entries.length);
  if (fate === 2) return Object.fromEntries(entries.filter((_, index) => index !== at));
  return Object.fromEntries(
    entries.map(([name, member]: [string, unknown], index) => [name, index === at ? mutated(dice, member) : member]),
  );
}

/** Makes a text that is almost JSON, or JSON that means two things. */
export function garbled(dice: Dice, json: string): Buffer {
  const bytes = Buffer.from(json);
  const at = dice.below(bytes.length + 1);
  const odd = dice.pick<() => Buffer | string>([
    () => bytes.subarray(0, at),
    () => Buffer.concat([bytes, Buffer.from(dice.pick(['}', ' x', '\u0000', json]))]),
    () => Buffer.concat([Buffer.from('\ufeff'), bytes]),
    () => Buffer.from(json, 'utf16le'),
    () => Buffer.concat([bytes.subarray(0, at), Buffer.from([0xc0, 0x80, 0xff]), bytes.subarray(at)]),
    () => json.replace('{', '{"walletAddress":1,'),
    () => json.replace('{', '{"__proto__":{"isAdmin":true},'),
    () => json.replace('{', '{"metadata":{"a":1,"a":2},'),
    () => json.replace('{', `{"metadata":{"n":${dice.pick(['1e400', '-0', '9007199254740993', `1${'0'.repeat(500)}`, '0.1e-400'])}},`),
    () => `${'['.repeat(dice.pick([10, 64, 65, 30_000]))}`,
    () => json.replaceAll('"', "'"),
    () => `{"metadata":"${'x'.repeat(dice.pick([16_385, 60_000, 70_000]))}"}`,
    () => dice.pick(['', ' ', 'null', 'true', '0', '""', '[]', '{}', 'undefined', '{"a":}', '\\', '{"a":"\\ud800"}', '{"\\u0000":1}']),
    () => Buffer.from(Array.from({ length: 1 + dice.below(200) }, () => dice.below(256))),
  ])();
  return Buffer.from(odd);
}
