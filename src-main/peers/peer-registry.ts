import { and, eq, inArray, ne, or, sql } from 'drizzle-orm';
import { type Asset, sameAsset } from '../../src-shared/amounts.ts';
import type { PeerSettings } from '../../src-shared/operator-contract/peers.ts';
import { isWithin } from '../ilp/ilp-address.ts';
import { appendEvent } from '../journal/events.ts';
import { atLimit, findPeerAccount, listPeerAccounts, openPeerAccount, type PeerAccount, setOverdraft } from '../ledger/peer-accounts.ts';
import type { Core } from '../platform/core.ts';
import type { Reader, Tx } from '../platform/database/database.ts';
import { contains } from '../platform/database/dialect.ts';
import { following, type ListOrder, listPart, sorting } from '../platform/database/list-order.ts';
import { newSecret } from '../platform/ids.ts';
import type { OutboundBytes } from '../platform/outbound-http/outbound-http.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import type { Seal } from '../platform/secrets/seal.ts';
import type { PeerDirectory, PeerRow } from './peer-directory.ts';
import { type FirstTokens, hashToken } from './peer-tokens.ts';
import { isLivingPeer, isOpenPacket, type PeerState, peerRenewals, peers, sentPackets } from './tables.ts';

interface PeerList {
  cursor?: string | undefined;
  limit: number;
  text?: string | undefined;
}

const OLDEST: ListOrder<PeerRow> = {
  ...{ key: peers.createdAt, keyOf: ({ createdAt }) => createdAt, of: 'times' },
  ...{ id: peers.id, ascends: true },
};

/** The facts of a new peer. */
export interface NewPeer extends PeerSettings, Asset {
  /** The id of the intention: the same id again returns what the first call made. */
  id: string;
  /** The token that the peer wants. */
  outgoingToken: string;
  /** The token that the peer will send. Without it the node makes one. */
  incomingToken?: string | undefined;
}

/** A peer and its account with this node. */
export interface PeerWithAccount extends PeerAccount {
  row: PeerRow;
}

/** A peer, and the token that it must send. The token is shown once, and stored only as a hash. */
interface PeerWithToken extends PeerWithAccount {
  incomingToken: string;
}

/**
 * The reason why a peer cannot have these settings: the node may not send to its endpoint, one of its addresses is this
 * node's, or another peer in the same asset has its address.
 */
type SettingsProblem = 'invalid_endpoint' | 'own_address' | 'address_taken';

interface Parts extends Pick<Core, 'database' | 'clock'> {
  seal: Seal;
  firstTokens: FirstTokens;
  directory: PeerDirectory;
  http: Pick<OutboundBytes, 'mayAsk'>;
  nodeAddress: string;
}

/**
 * The operator's book of peers. Every change appends an event, and the packets know the change when the call returns.
 */
export class PeerRegistry {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Lists the peers whose name or address contains a text, the oldest first. It leaves removed ones out. */
  async list({ cursor, limit, text = '' }: PeerList): Promise<{ peers: PeerWithAccount[]; nextCursor: string | null }> {
    const { read, readAside } = this.#parts.database;
    const needle = text.trim().toLowerCase();
    const named = or(contains(sql`lower(${peers.name})`, needle), contains(peers.name, text.trim()), contains(peers.ilpAddress, needle));
    const found = await (needle === '' ? read : readAside)
      .select()
      .from(peers)
      .where(and(isLivingPeer, following(OLDEST, cursor), needle === '' ? undefined : named))
      .orderBy(...sorting(OLDEST))
      .limit(limit + 1);
    const { rows, nextCursor } = listPart(found, limit, OLDEST);
    return { peers: await this.#withAccounts(rows), nextCursor };
  }

  /** Finds a peer, also a removed one. */
  async get(id: string): Promise<PeerWithAccount | undefined> {
    return await find(this.#parts.database.read, id);
  }

  /** The first peers, at most `limit`, that are paused, have reached a limit, or are among those `unanswered`. */
  async troubled(unanswered: readonly string[], limit: number): Promise<PeerWithAccount[]> {
    const trouble = or(eq(peers.state, 'paused'), inArray(peers.id, unanswered.slice(0, limit)), atLimit(peers.id, peers));
    const rows = await this.#parts.database.readAside
      .select()
      .from(peers)
      .where(and(isLivingPeer, trouble))
      .orderBy(...sorting(OLDEST))
      .limit(limit);
    return await this.#withAccounts(rows);
  }

  /** The ledger accounts are read after the peers, so there is one for each. */
  async #withAccounts(rows: readonly PeerRow[]): Promise<PeerWithAccount[]> {
    const accounts = await listPeerAccounts(
      this.#parts.database.read,
      rows.map(({ id }) => id),
    );
    return rows.flatMap((row) => {
      const account = accounts.get(row.id);
      return account === undefined ? [] : [{ row, ...account }];
    });
  }

  async add(wanted: NewPeer): Promise<Result<PeerWithToken, SettingsProblem | 'token_taken' | 'added_before'>> {
    const { database, clock, seal, firstTokens } = this.#parts;
    const { id, assetCode, assetScale, name, ilpAddress, routes, endpoint, creditLimit, debtLimit, maxPacketAmount, deduplicates } = wanted;
    const problem = this.#problemOf(wanted);
    if (problem !== undefined) return refuse(problem);
    const incomingToken = wanted.incomingToken ?? firstTokens.of(id);
    const at = clock.now();
    const row: PeerRow = {
      ...{ id, name, state: 'active', assetCode, assetScale, ilpAddress, routes, endpoint, debtLimit, maxPacketAmount, deduplicates },
      outgoingToken: seal.seal(wanted.outgoingToken, id),
      incomingTokenHash: hashToken(incomingToken),
      inFlight: 0n,
      lastBroughtAt: null,
      createdAt: at,
      updatedAt: at,
    };
    const added = await database.write(async (tx): Promise<Result<PeerWithAccount, SettingsProblem | 'token_taken' | 'added_before'>> => {
      const before = await find(tx, id);
      if (before !== undefined) return before.row.incomingTokenHash === row.incomingTokenHash ? ok(before) : refuse('added_before');
      if (await isAddressTaken(tx, row)) return refuse('address_taken');
      if (await isTokenTaken(tx, row.incomingTokenHash)) return refuse('token_taken');
      await insertPeer(tx, row, creditLimit);
      return ok({ row, position: 0n, creditLimit });
    });
    if (!added.ok) return added;
    await this.#parts.directory.reload();
    return ok({ ...added.value, incomingToken });
  }

  async edit(
    id: string,
    changes: Partial<PeerSettings> & { outgoingToken?: string | undefined },
  ): Promise<Result<PeerWithAccount, SettingsProblem | 'not_found'>> {
    const { database, clock, seal } = this.#parts;
    const problem = this.#problemOf(changes);
    if (problem !== undefined) return refuse(problem);
    const { outgoingToken, creditLimit, ...given } = changes;
    const sealed = outgoingToken === undefined ? {} : { outgoingToken: seal.seal(outgoingToken, id) };
    const settings = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<PeerSettings>;
    const at = clock.now();
    return await this.#changed(
      await database.write(async (tx): Promise<Result<PeerWithAccount, SettingsProblem | 'not_found'>> => {
        const before = await findLiving(tx, id);
        if (before === undefined) return refuse('not_found');
        const row = { ...before.row, ...settings, ...sealed, updatedAt: at };
        if (await isAddressTaken(tx, row)) return refuse('address_taken');
        await tx.update(peers).set(row).where(eq(peers.id, id));
        if (outgoingToken !== undefined) await endRenewal(tx, id);
        if (creditLimit !== undefined) await setOverdraft(tx, id, creditLimit);
        const after = { row, position: before.position, creditLimit: creditLimit ?? before.creditLimit };
        await appendEvent(tx, { type: 'peer.changed', subject: id, body: { name: row.name, ...differences(before, after) }, at });
        return ok(after);
      }),
    );
  }

  /** Gives the peer another token to send. The former one is dead when this returns. */
  async renewToken(id: string): Promise<Result<PeerWithToken, 'not_found'>> {
    const incomingToken = newSecret();
    const renewed = await this.#update(id, { incomingTokenHash: hashToken(incomingToken) }, { token: 'renewed' });
    return renewed.ok ? ok({ ...renewed.value, incomingToken }) : renewed;
  }

  /**
   * Pauses a peer or lets it go on. The node sends a paused peer nothing new, and takes nothing from it. Packets under
   * way end.
   */
  async setState(id: string, state: PeerState & ('active' | 'paused')): Promise<Result<PeerWithAccount, 'not_found'>> {
    return await this.#update(id, { state }, { state });
  }

  /** Ends the relation. `not_settled`: one node owes the other something, or something is under way. */
  async remove(id: string): Promise<Result<PeerWithAccount, 'not_found' | 'not_settled'>> {
    const at = this.#parts.clock.now();
    return await this.#changed(
      await this.#parts.database.write(async (tx): Promise<Result<PeerWithAccount, 'not_found' | 'not_settled'>> => {
        const before = await findLiving(tx, id);
        if (before === undefined) return refuse('not_found');
        const underWay = await tx
          .select({ peerId: sentPackets.peerId })
          .from(sentPackets)
          .where(and(isOpenPacket, eq(sentPackets.peerId, id)))
          .limit(1);
        if (before.position !== 0n || before.row.inFlight !== 0n || underWay.length > 0) return refuse('not_settled');
        const row: PeerRow = { ...before.row, state: 'removed', outgoingToken: '', updatedAt: at };
        await tx.update(peers).set(row).where(eq(peers.id, id));
        await endRenewal(tx, id);
        // A packet of the peer that is being taken at this moment finds no credit.
        await setOverdraft(tx, id, 0n);
        await appendEvent(tx, { type: 'peer.removed', subject: id, body: { name: row.name }, at });
        return ok({ row, position: 0n, creditLimit: 0n });
      }),
    );
  }

  async #update(
    id: string,
    change: Partial<Pick<PeerRow, 'state' | 'incomingTokenHash'>>,
    body: Record<string, string>,
  ): Promise<Result<PeerWithAccount, 'not_found'>> {
    const at = this.#parts.clock.now();
    return await this.#changed(
      await this.#parts.database.write(async (tx): Promise<Result<PeerWithAccount, 'not_found'>> => {
        const before = await findLiving(tx, id);
        if (before === undefined) return refuse('not_found');
        if (before.row.state === change.state) return ok(before);
        const row = { ...before.row, ...change, updatedAt: at };
        await tx.update(peers).set(row).where(eq(peers.id, id));
        if (change.incomingTokenHash !== undefined) await endRenewal(tx, id);
        await appendEvent(tx, { type: 'peer.changed', subject: id, body: { name: row.name, ...body }, at });
        return ok({ ...before, row });
      }),
    );
  }

  async #changed<T, E>(outcome: Result<T, E>): Promise<Result<T, E>> {
    if (outcome.ok) await this.#parts.directory.reload();
    return outcome;
  }

  #problemOf({ endpoint, ilpAddress, routes = [] }: Partial<PeerSettings>): SettingsProblem | undefined {
    const { http, nodeAddress } = this.#parts;
    if (endpoint !== undefined && !http.mayAsk(endpoint)) return 'invalid_endpoint';
    const isOwn = (address: string): boolean => address === nodeAddress || isWithin(nodeAddress, address);
    return [ilpAddress ?? '', ...routes].some(isOwn) ? 'own_address' : undefined;
  }
}

/** Stores a new peer with its ledger account, as part of a write. The directory must be read anew afterwards. */
export async function insertPeer(tx: Tx, row: PeerRow, creditLimit: bigint): Promise<void> {
  const { id, name, assetCode, assetScale, ilpAddress, createdAt: at } = row;
  await tx.insert(peers).values(row);
  await openPeerAccount(tx, id, { assetCode, assetScale }, creditLimit, at);
  const body = { name, assetCode, assetScale: String(assetScale), ilpAddress, creditLimit: creditLimit.toString() };
  await appendEvent(tx, { type: 'peer.added', subject: id, body, at });
}

/**
 * Ends the renewal of a peer's tokens: the operator sets tokens by hand, so no former or coming one counts any more.
 * Part of a write.
 */
async function endRenewal(tx: Tx, peerId: string): Promise<void> {
  await tx.delete(peerRenewals).where(eq(peerRenewals.peerId, peerId));
}

/** Finds a peer that is not removed, inside a write. */
export async function findLiving(tx: Tx, id: string): Promise<PeerWithAccount | undefined> {
  const found = await find(tx, id);
  return found?.row.state === 'removed' ? undefined : found;
}

async function find(tx: Reader, id: string): Promise<PeerWithAccount | undefined> {
  const [row] = await tx.select().from(peers).where(eq(peers.id, id));
  const account = await findPeerAccount(tx, id);
  return row && account && { row, ...account };
}

async function isAddressTaken(tx: Tx, { id, ilpAddress, ...asset }: PeerRow): Promise<boolean> {
  const others = await tx
    .select()
    .from(peers)
    .where(and(eq(peers.ilpAddress, ilpAddress), ne(peers.id, id), ne(peers.state, 'removed')));
  return others.some((other) => sameAsset(other, asset));
}

async function isTokenTaken(tx: Tx, incomingTokenHash: string): Promise<boolean> {
  const others = await tx
    .select({ id: peers.id })
    .from(peers)
    .where(and(eq(peers.incomingTokenHash, incomingTokenHash), ne(peers.state, 'removed')));
  return others.length > 0;
}

const SHOWN = ['ilpAddress', 'endpoint', 'routes', 'debtLimit', 'maxPacketAmount', 'deduplicates', 'outgoingToken'] as const;

/** Tells what an edit changed, for the event. It says that a token changed, and not what it is. */
function differences(before: PeerWithAccount, after: PeerWithAccount): Record<string, string> {
  const changed = SHOWN.filter((name) => String(before.row[name]) !== String(after.row[name])).map((name): [string, string] => [
    name,
    name === 'outgoingToken' ? 'changed' : String(after.row[name] ?? 'none'),
  ]);
  if (before.creditLimit !== after.creditLimit) changed.push(['creditLimit', after.creditLimit.toString()]);
  return Object.fromEntries(changed);
}
