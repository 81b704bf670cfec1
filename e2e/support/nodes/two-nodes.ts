import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Account } from '../../../src-shared/operator-contract/accounts.ts';
import { FarLine } from './far-line.ts';
import { FaultProxy, type FaultRates } from './fault-proxy.ts';
import { RunningNode } from './running-node.ts';

/** The currencies that two nodes settle in, each with two decimals. */
export const CURRENCIES = ['USD', 'EUR'] as const;
export type Currency = (typeof CURRENCIES)[number];
export type Side = 'a' | 'b';
export const SIDES = ['a', 'b'] as const;
export const otherSide = (side: Side): Side => (side === 'a' ? 'b' : 'a');

/** The first balance of each account that pays, in cents. */
export const OPENING = 10n ** 12n;
/** The money with which each node can trade, and the most that each may owe the other, in cents. */
export const FUNDS = 10n ** 12n;

/** The accounts of each node. In each currency one account pays, and one is paid. */
type Accounts = Record<Side, Record<Currency, { payer: Account; shop: Account }>>;

/** A node, by its public address. Its operator may speak to one of several processes. */
type ReachedNode = Pick<RunningNode, 'publicUrl' | 'operator'>;

/** Two nodes that pay each other, each reached at its public address. */
export type Pair = Readonly<Record<Side, ReachedNode>> & { readonly accounts: Accounts };

interface TwoNodesOptions {
  /** The flags of both nodes. */
  readonly flags?: readonly string[];
  /** Puts a bad line between them, in both directions. */
  readonly faults?: { readonly seed: number; readonly rates?: FaultRates };
  /** The most that one packet between the nodes may carry, in cents. */
  readonly maxPacketAmount?: bigint;
  /** The distance of node B from everybody, in milliseconds there and back. */
  readonly roundTripMs?: number;
}

/**
 * Two nodes on this computer, each the other's peer in two currencies, with rates, money to trade with and accounts.
 */
export class TwoNodes {
  readonly accounts: Accounts;
  /** The proxy in front of each node, when there is a bad line. */
  readonly lines: Readonly<Record<Side, FaultProxy>> | undefined;
  readonly #folder: string;
  readonly #flags: readonly string[];
  readonly #running: Record<Side, RunningNode>;
  readonly #farLine: FarLine | undefined;

  private constructor(parts: {
    accounts: Accounts;
    lines: Record<Side, FaultProxy> | undefined;
    folder: string;
    flags: readonly string[];
    running: Record<Side, RunningNode>;
    farLine: FarLine | undefined;
  }) {
    this.accounts = parts.accounts;
    this.lines = parts.lines;
    this.#folder = parts.folder;
    this.#flags = parts.flags;
    this.#running = parts.running;
    this.#farLine = parts.farLine;
  }

  static async start({ flags = [], faults, maxPacketAmount, roundTripMs }: TwoNodesOptions = {}): Promise<TwoNodes> {
    const folder = mkdtempSync(join(tmpdir(), 'paydesk-two-nodes-'));
    const farLine = roundTripMs === undefined ? undefined : await FarLine.start(roundTripMs);
    const away = farLine === undefined ? [] : ['--public-url', farLine.origin, '--listen', `127.0.0.1:${farLine.port}`];
    const [a, b] = await Promise.all([
      RunningNode.start({ dataDir: join(folder, 'a'), flags }),
      RunningNode.start({ dataDir: join(folder, 'b'), flags: [...flags, ...away] }),
    ]);
    const running = { a, b };
    const line = async (side: Side, seed: number) =>
      await FaultProxy.start({ target: running[side].publicUrl, seed, ...(faults?.rates && { rates: faults.rates }) });
    const lines = faults && { a: await line('a', faults.seed), b: await line('b', faults.seed + 1) };
    const accounts = { a: await furnish(a), b: await furnish(b) };
    await introduce(running, { lines, maxPacketAmount });
    return new TwoNodes({ accounts, lines, folder, flags, running, farLine });
  }

  get a(): RunningNode {
    return this.#running.a;
  }
  get b(): RunningNode {
    return this.#running.b;
  }

  /** Starts a node again at its address and with its own data. */
  async restart(side: Side, env: Readonly<Record<string, string>> = {}): Promise<void> {
    const { dataDir, publicUrl } = this[side];
    this.#running[side] = await RunningNode.start({ dataDir, flags: [...this.#flags, '--listen', new URL(publicUrl).host], env });
  }

  async stop(): Promise<void> {
    await Promise.all(SIDES.map((side) => this[side].stop()));
    await Promise.all(SIDES.map((side) => this.lines?.[side].stop()));
    await this.#farLine?.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Opens accounts, sets rates and puts money into the exchange. */
export async function furnish({ operator }: ReachedNode): Promise<Record<Currency, { payer: Account; shop: Account }>> {
  const account = async (kind: string, assetCode: Currency, openingBalance: bigint): Promise<Account> => {
    const name = `${kind}-${assetCode.toLowerCase()}`;
    const asset = { assetCode, assetScale: 2 };
    return await operator.accounts.create({ requestId: randomUUID(), name, publicName: `The ${kind}`, ...asset, openingBalance });
  };
  const pair = async (currency: Currency) => ({
    payer: await account('payer', currency, OPENING),
    shop: await account('shop', currency, 0n),
  });
  const accounts = { USD: await pair('USD'), EUR: await pair('EUR') };
  const rate = { spreadBps: 50, source: 'made up for a try-out', asOf: new Date(), maxAgeSeconds: 86_400 };
  await operator.rates.set({ base: 'USD', quote: 'EUR', rate: '0.9137', ...rate });
  await operator.rates.set({ base: 'EUR', quote: 'USD', rate: '1.0893', ...rate });
  for (const assetCode of CURRENCIES) {
    await operator.rates.fund({ requestId: randomUUID(), assetCode, assetScale: 2, amount: FUNDS, note: 'to trade with' });
  }
  return accounts;
}

interface Introduction {
  lines?: Record<Side, FaultProxy> | undefined;
  maxPacketAmount: bigint | undefined;
}

/** Makes each node the other's peer in every currency. */
export async function introduce(running: Record<Side, ReachedNode>, { lines, maxPacketAmount }: Introduction): Promise<void> {
  for (const assetCode of CURRENCIES) {
    const tokens = { a: randomBytes(24).toString('base64url'), b: randomBytes(24).toString('base64url') };
    for (const side of SIDES) {
      const other = otherSide(side);
      const { ilpAddress, endpoint } = await running[other].operator.peers.self();
      await running[side].operator.peers.add({
        requestId: randomUUID(),
        name: `Node ${other.toUpperCase()} (${assetCode})`,
        assetCode,
        assetScale: 2,
        ilpAddress,
        routes: [],
        endpoint: lines === undefined ? endpoint : new URL(new URL(endpoint).pathname, lines[other].origin).href,
        creditLimit: FUNDS,
        debtLimit: null,
        maxPacketAmount: maxPacketAmount ?? null,
        deduplicates: true,
        outgoingToken: tokens[other],
        incomingToken: tokens[side],
      });
    }
  }
}
