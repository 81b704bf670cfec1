import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { BOTH_ENGINES, ROUNDS, turns } from '../platform/database/testing/both-engines.ts';
import type { OutboundHttp } from '../platform/outbound-http/outbound-http.ts';
import { PublicUrls } from '../platform/public-address/public-urls.ts';
import type { Replicas } from '../platform/replicas/replicas.ts';
import { ServerClock } from '../platform/replicas/testing/server-clock.ts';
import { ok } from '../platform/result.ts';
import { Seal } from '../platform/secrets/seal.ts';
import { NodeKeys } from './node-keys.ts';
import { type GrantUse, RemoteGrants } from './remote-grants.ts';
import { OWN_ORIGIN } from './testing/wallets.ts';
import { WalletHttp } from './wallet-http.ts';

const AT = 'https://wallet.example';
const USE: GrantUse = {
  authServer: `${AT}/auth`,
  walletAddressId: 'till',
  right: { type: 'incoming-payment', actions: ['read'] },
  resource: `${AT}/incoming-payments/1`,
};

/** Another wallet. It exchanges a token once, and takes a few turns of the event loop for each answer. */
class Wallet {
  grants = 0;
  rotations = 0;
  refused = 0;
  living = '';
  #made = 0;
  pause = 0;
  /** Whether it answers nothing any more. */
  isSilent = false;

  readonly http: OutboundHttp = {
    getJson: () => Promise.reject(new Error('nothing is read here')),
    requestJson: async (_method, url, { headers }) => {
      await turns(this.pause);
      if (this.isSilent) return await new Promise<never>(() => undefined);
      const shown = headers?.authorization?.slice('GNAP '.length);
      const status = this.#answer(url, shown);
      await turns(this.pause);
      const token = { value: this.living, manage: `${AT}/token/1`, expires_in: 600, access: [] };
      return ok({ status, url, body: status === 200 ? { access_token: token } : { error: { code: 'invalid_client' } } });
    },
    close: () => undefined,
  };

  #answer(url: string, shown: string | undefined): number {
    if (url === USE.authServer) this.grants += 1;
    else if (shown === this.living) this.rotations += 1;
    else {
      this.refused += 1;
      return 401;
    }
    this.#made += 1;
    this.living = `token-${this.#made}`;
    return 200;
  }
}

describe.each(BOTH_ENGINES)('grants at other wallets, for two replicas over $engine', ({ open }) => {
  let opened: ReturnType<typeof open>;
  let wallet: Wallet;
  let clock: ManualClock;
  let server: ServerClock;
  let replicas: [Replicas, Replicas];
  let here: RemoteGrants;
  let there: RemoteGrants;

  const grantsOf = (database: Database, { id: holder }: Replicas): RemoteGrants => {
    const keys = new NodeKeys({ derive: (purpose) => createHash('sha256').update(purpose).digest() });
    const http = new WalletHttp({ http: wallet.http, keys, urls: new PublicUrls(OWN_ORIGIN), clock });
    const clientUrl = async (id: string) => `${OWN_ORIGIN}/${id}`;
    return new RemoteGrants({ database, http, seal: new Seal(Buffer.alloc(32, 5)), clock, clientUrl, holder });
  };
  /** Uses the grant for a request that the living token opens. */
  const use = async (grants: RemoteGrants, after: number): Promise<string[]> => {
    const shown: string[] = [];
    await turns(after);
    await grants.use(USE, async (token) => {
      shown.push(token);
      return ok({ status: token === wallet.living ? 200 : 401, url: USE.resource, body: {} });
    });
    return shown;
  };

  beforeEach(async () => {
    opened = open();
    wallet = new Wallet();
    clock = new ManualClock(Date.UTC(2026, 0, 1));
    server = new ServerClock(opened.test.database);
    replicas = [server.replica('here'), server.replica('there')];
    for (const replica of replicas) await replica.join();
    here = grantsOf(opened.test.database, replicas[0]);
    there = grantsOf(opened.there, replicas[1]);
  });
  afterEach(() => opened.dispose());

  const moment = fc.record({ here: fc.nat(20), there: fc.nat(20), pause: fc.nat(20), hasRunOut: fc.boolean() });

  it('are exchanged by one of them, and the other takes the new token', async () => {
    await use(here, 0);
    const round = async ({
      here: first,
      there: second,
      pause,
      hasRunOut,
    }: {
      here: number;
      there: number;
      pause: number;
      hasRunOut: boolean;
    }) => {
      Object.assign(wallet, { grants: 0, rotations: 0, refused: 0, pause });
      if (hasRunOut) clock.advance(600_000);
      else wallet.living = `${wallet.living}-ended`;
      const shown = await Promise.all([use(here, first), use(there, second)]);
      // A token that the wallet has ended by itself can be rotated by nobody.
      const { grants, rotations, refused } = wallet;
      expect({ grants, rotations, refused }).toEqual(
        hasRunOut ? { grants: 0, rotations: 1, refused: 0 } : { grants: 1, rotations: 0, refused: 1 },
      );
      expect(shown.map((tokens) => tokens.at(-1))).toEqual([wallet.living, wallet.living]);
    };
    await fc.assert(fc.asyncProperty(moment, round), { numRuns: ROUNDS });
  });

  it('are exchanged by another one when the one that began is dead', async () => {
    await use(here, 0);
    clock.advance(600_000);
    wallet.isSilent = true;
    void use(here, 0);
    await expect.poll(async () => (await opened.test.look('select claimed_until as until from remote_grants'))[0]?.until).not.toBeNull();
    server.now += 6_000;
    await replicas[1].look();
    wallet.isSilent = false;
    expect(await use(there, 0)).toHaveLength(1);
  });
});
