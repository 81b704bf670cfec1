import { ClientKeyFinder } from '../access/client-keys/finder.ts';
import { OperatorKeys } from '../access/client-keys/operator-keys.ts';
import { StoredOwnKeys } from '../access/client-keys/store.ts';
import { ClientClocks } from '../access/clients/client-clocks.ts';
import { ClientIdentities } from '../access/clients/client-identity.ts';
import { ClientTiers } from '../access/clients/client-tiers.ts';
import { SignatureGate } from '../access/clients/signature-gate.ts';
import { type RowLimits, StrangerRows } from '../access/clients/stranger-rows.ts';
import { Approvals } from '../access/grants/approvals.ts';
import { Continuations } from '../access/grants/continuations.ts';
import { Grants } from '../access/grants/grants.ts';
import { Interactions } from '../access/grants/interactions.ts';
import { sweepLapsed } from '../access/grants/lapses.ts';
import { OperatorViews } from '../access/grants/operator-views.ts';
import type { CheckSignature } from '../access/http-signatures/checking.ts';
import { AccessTokens } from '../access/tokens/access-tokens.ts';
import { Authenticator } from '../access/tokens/authenticate.ts';
import { GrantUses } from '../access/tokens/grant-uses.ts';
import { RetrySeals } from '../access/tokens/retry-seals.ts';
import type { Rates } from '../exchange/rates.ts';
import { countPaidRequests } from '../payments/incoming/paid-requests.ts';
import { countPaymentsByGrant } from '../payments/outgoing/outgoing-payment-rows.ts';
import type { Payees } from '../payments/quotes/payees.ts';
import type { ClockWitnesses } from '../platform/clock-witnesses.ts';
import type { Core } from '../platform/core.ts';
import type { OutboundHttp } from '../platform/outbound-http/outbound-http.ts';
import { aloneReplica, type OwnReplica } from '../platform/replicas/own-replica.ts';
import type { NodeSecrets } from '../platform/secrets/node-secrets.ts';
import type { Config } from '../platform/settings/config.ts';
import type { NodeKeys } from '../remote-wallets/node-keys.ts';
import type { WalletAddresses } from '../wallet-addresses/wallet-addresses.ts';

/** How often the node looks for lapsed grant requests, in milliseconds. */
const SWEEP_MS = 5_000;

interface Parts extends Core {
  secrets: NodeSecrets;
  http: OutboundHttp;
  config: Pick<Config, 'tokenLifetime' | 'clientRate'>;
  walletAddresses: WalletAddresses;
  rates: Pick<Rates, 'cost'>;
  payees: Pick<Payees, 'of'>;
  /** The keys with which the node itself signs. */
  nodeKeys: Pick<NodeKeys, 'of'>;
  checkSignature?: CheckSignature;
  /** Those of the node apply without it. */
  rowLimits?: RowLimits;
  /** This process among those that run the node. Without it there is only one. */
  replica?: OwnReplica;
  /** What learns the clocks of clients. It is absent where nobody wants to hear them. */
  witnesses?: ClockWitnesses;
}

/** Wires clients, signatures, grants and tokens. It also starts the sweep of what has lapsed. */
export function assembleAccess({
  database,
  clock,
  log,
  urls,
  secrets,
  http,
  config,
  walletAddresses,
  rates,
  payees,
  nodeKeys,
  checkSignature,
  rowLimits,
  witnesses,
  replica = aloneReplica(),
}: Parts) {
  const documents = {
    read: async (url: string) => {
      // The client has just signed with a key that it shows, so it is no stranger any more.
      const answer = await http.getJson(url, { pool: 'known' });
      return answer.ok && answer.value.status === 200 ? answer.value.body : undefined;
    },
  };
  const walletAddressId = async (name: string) => (await walletAddresses.byName(name))?.id;
  const ownKeys = new StoredOwnKeys({ database, urls, walletAddressId, nodeKey: (id) => nodeKeys.of(id) });
  const keys = new ClientKeyFinder({ ownKeys, http, clock });
  const tiers = new ClientTiers({ database, clock, urls, clientRate: config.clientRate });
  const clocks = witnesses && new ClientClocks({ tiers, witnesses });
  const gate = new SignatureGate({ database, clock, keys, check: checkSignature, clocks });
  const strangerRows = new StrangerRows({ database, clock, countPaid: countPaidRequests, ...(rowLimits && { limits: rowLimits }) });
  const identities = new ClientIdentities({ urls, walletAddresses, documents });
  const settings = { lifetimeSeconds: config.tokenLifetime };
  const seals = new RetrySeals(secrets);
  const tokens = new AccessTokens({ database, clock, seals, settings });
  const continuations = new Continuations({ database, clock, tokens, secrets });
  const grants = new Grants({ database, clock, walletAddresses, identities, tokens, seals });
  const interactions = new Interactions({ database, clock, continuations });
  const uses = new GrantUses({
    database,
    clock,
    onError: (error) => log.warn({ err: error }, 'when permissions were last used could not be written down'),
  });
  const authenticator = new Authenticator({ database, clock, gate, urls, uses });
  const approvals = new Approvals({ database, clock, walletAddresses, onApproved: (clientId) => tiers.forget(clientId) });
  const views = new OperatorViews({
    database,
    clock,
    walletAddresses,
    countPayments: (ids) => countPaymentsByGrant(database.readAside, ids),
    costOf: (arriving, payer) => rates.cost(arriving, payer),
    payeeOf: (receiver) => payees.of(receiver),
    uses,
  });

  const sweeping = setInterval(() => {
    if (!replica.doesChores) return;
    sweepLapsed(database, clock).catch((error: unknown) => log.error({ err: error }, 'what has lapsed could not be put away'));
  }, SWEEP_MS);

  const clientKeys = new OperatorKeys({ database, clock, nodeKey: (id) => nodeKeys.of(id) });
  const stop = async () => {
    clearInterval(sweeping);
    await uses.stop();
  };
  return {
    gate,
    tiers,
    strangerRows,
    identities,
    tokens,
    continuations,
    grants,
    interactions,
    authenticator,
    approvals,
    views,
    clientKeys,
    stop,
  };
}

export type AccessServices = ReturnType<typeof assembleAccess>;
