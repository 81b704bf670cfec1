import { arch, platform, release } from 'node:os';
import { count, type Table } from 'drizzle-orm';
import { isEventType } from '../../../../src-shared/event-types.ts';
import { clientKeys } from '../../../access/client-keys/tables.ts';
import { grants } from '../../../access/tables.ts';
import { events } from '../../../journal/tables.ts';
import { incomingPayments, outgoingPayments } from '../../../payments/tables.ts';
import { peers } from '../../../peers/tables.ts';
import type { KeptLine } from '../../../platform/logs/log-ring.ts';
import { walletAddresses } from '../../../wallet-addresses/tables.ts';
import type { OperatorContext } from '../../context.ts';
import { countActivities } from '../activity.ts';
import { nodeConfiguration } from './node-configuration.ts';
import { overview } from './overview.ts';

/** How many of the last log lines a bundle holds. */
const LINES = 1_000;
/** The facts of a log line that say nothing about people, money or other wallets. */
const SAFE_FACTS = new Set([
  'method',
  'status',
  'ms',
  'problem',
  'operation',
  'state',
  'code',
  'version',
  'type',
  'reason',
  'count',
  'attempt',
]);

/**
 * What a helper needs to know about the node, without names, amounts, addresses and secrets. It holds only what is
 * known to be harmless.
 */
export async function supportBundle(context: OperatorContext, lines: readonly KeptLine[]): Promise<object> {
  const {
    publicUrl,
    publicUrlGiven,
    listen,
    host,
    development,
    tokenLifetime,
    logLevel,
    trustedProxies,
    keysEncrypted,
    certificateEndsAt,
    version,
  } = nodeConfiguration(context);
  return {
    madeAt: new Date(context.clock.now()).toISOString(),
    version,
    computer: { platform: platform(), release: release(), arch: arch(), node: process.versions.node },
    configuration: {
      ...{ host, development, tokenLifetime, logLevel, keysEncrypted, publicUrlGiven },
      publicScheme: new URL(publicUrl).protocol,
      listenPort: Number(listen.slice(listen.lastIndexOf(':') + 1)),
      trustedProxies: trustedProxies.length,
      certificateEndsAt: certificateEndsAt?.toISOString() ?? null,
      reachableByOthers: context.about.reachableByOthers,
    },
    // The facts of a check may name peers and files, so only its state is included.
    health: Object.fromEntries((await overview(context)).health.map(({ name, state }) => [name, state])),
    counts: await counts(context),
    log: lines.slice(-LINES).map(redacted),
  };
}

async function counts({ database: { readAside } }: OperatorContext): Promise<Record<string, number>> {
  const tables: Record<string, Table> = {
    accounts: walletAddresses,
    incomingPayments,
    outgoingPayments,
    grants,
    clientKeys,
    peers,
    events,
  };
  const counted: Record<string, number> = { activities: await countActivities(readAside) };
  for (const [name, table] of Object.entries(tables))
    counted[name] = Number((await readAside.select({ count: count() }).from(table))[0]?.count ?? 0);
  return counted;
}

type Facts = Readonly<Record<string, unknown>>;

/** A line with its time, level, message and harmless facts. */
export function redacted({ text }: KeptLine): object {
  let line: Facts;
  try {
    line = JSON.parse(text) as Facts;
  } catch {
    return { unreadable: true };
  }
  const { time, level, msg, err, ...facts } = line;
  const safe = Object.entries(facts).filter(
    ([name, value]) => SAFE_FACTS.has(name) && (typeof value === 'string' || typeof value === 'number'),
  );
  const left = Object.keys(facts).length - safe.length;
  return {
    ...{ time, level },
    msg: typeof msg === 'string' ? (isEventType(msg) ? msg : withoutTraces(msg)) : '',
    ...Object.fromEntries(safe.map(([name, value]) => [name, typeof value === 'string' ? withoutTraces(value) : value])),
    ...(isFacts(err) && { err: errorOf(err) }),
    ...(left > 0 && { redacted: left }),
  };
}

const isFacts = (value: unknown): value is Facts => typeof value === 'object' && value !== null;

/** The kind of an error and where it came from. Its message is left out, because it may hold anything. */
function errorOf({ type, code, stack }: Facts): object {
  const places = typeof stack === 'string' ? stack.split('\n').filter((place) => /^\s+at /.test(place)) : [];
  return {
    ...(typeof type === 'string' && { type: withoutTraces(type) }),
    ...(typeof code === 'string' && { code: withoutTraces(code) }),
    stack: places.map((place) => place.trim().replace(/\(?(?:file:\/\/)?[^\s(]*[\\/]([^\\/\s]+)\)?$/, '$1')),
  };
}

const TRACES: readonly [RegExp, string][] = [
  [/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi, '[url]'],
  [/[\w.+-]+@[\w-]+(\.[\w-]+)+/g, '[address]'],
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '[id]'],
  [/\b\d{1,3}(\.\d{1,3}){3}(:\d+)?\b/g, '[address]'],
  [/(?:[A-Za-z]:)?(?:[\\/][\w.@ -]+){2,}/g, '[path]'],
  [/\b(?:[a-z0-9-]+\.)+[a-z]{2,}\b/gi, '[host]'],
  [/[\w-]{32,}/g, '[secret]'],
  [/\b\d+(?:[.,]\d+)+\b|\b\d{3,}\b/g, '[number]'],
];

/** The text without anything that looks like an address, id, path, secret or amount. */
export const withoutTraces = (text: string): string => TRACES.reduce((left, [form, instead]) => left.replace(form, instead), text);
