import type { RemovedKind } from '../../disk-kinds.ts';
import { dateTimeText } from '../date-text.ts';
import { bytesText, durationText } from '../duration-text.ts';
import { healthText } from '../health.ts';
import { area, extended } from '../language/language.ts';
import { locale } from '../language/locale.ts';
import { reachText } from '../reachability.ts';

const text = area('health');

type ReplicaState = 'runs' | 'leaves' | 'differs' | 'clock';

/** A replica whose clock differs by more gets no requests, in milliseconds. */
const MOST_CLOCK_MS = 2_000;
/** A clock that differs by less agrees, in milliseconds. */
const AGREES_MS = 100;
/** A disk with room for more days has room for long. */
const MANY_DAYS = 3_650;

/** What a replica writes, and how its clock is. @param turns in a second */
function figuresText(turns: number | null, clockMs: number | null): string {
  const says = text.replicas;
  const written = turns === null ? says.writesUnknown : says.writes({ turns });
  if (clockMs === null) return written;
  if (Math.abs(clockMs) < AGREES_MS) return `${written} ${says.clockAgrees}`;
  const seconds = (Math.abs(clockMs) / 1_000).toLocaleString(locale(), { maximumFractionDigits: 1 });
  return `${written} ${clockMs > 0 ? says.clockBehind({ seconds }) : says.clockAhead({ seconds })}`;
}

/** What the node can know of backups that others make. */
function backupText(archivedAt: Date | null, exportedAt: Date | null): string {
  const says = text.replicas;
  const archived = archivedAt === null ? says.noBackup : says.archived({ when: dateTimeText(archivedAt) });
  return `${archived} ${exportedAt === null ? says.neverExported : says.exported({ when: dateTimeText(exportedAt) })}`;
}

/** How fast the database grows. @param growth in bytes a day @param room what is left on its disk, in bytes */
function growthText(growth: number | null, room: number | null): string {
  const says = text.disk;
  if (growth === null) return says.growthTomorrow;
  if (growth <= 0) return says.noGrowth;
  const perDay = bytesText(growth);
  if (room === null) return says.grows({ perDay });
  const days = Math.floor(room / growth);
  return days > MANY_DAYS ? says.growsLong({ perDay }) : says.growsUntil({ perDay, days });
}

/** Says when the node removes something by itself. @param days after how many */
function removedText(kind: RemovedKind, days: number): string {
  const says = text.disk.removed[kind];
  return typeof says === 'string' ? says : says({ time: durationText(Math.round(days * 86_400)) });
}

/** A line of the log about a request. @param ms how long it took, in milliseconds */
function requestText(method: string, path: string, status: number, ms: string | undefined): string {
  const outcome = status >= 500 ? 'failed' : status >= 400 ? 'refused' : 'answered';
  const facts = { method, path, status: String(status) };
  return ms === undefined ? text.log.request[outcome](facts) : text.log.requestIn[outcome]({ ...facts, ms });
}

export const health = extended('health', () => ({
  checkText: healthText,
  reach: { findingText: reachText },
  replicas: {
    /** What matters most of a replica. */
    stateOf: ({ leaving, alike, clockMs }: { leaving: boolean; alike: boolean; clockMs: number | null }): ReplicaState => {
      if (leaving) return 'leaves';
      if (!alike) return 'differs';
      return Math.abs(clockMs ?? 0) > MOST_CLOCK_MS ? 'clock' : 'runs';
    },
    facts: (version: string, host: string, since: Date) => text.replicas.facts({ version, host, since: dateTimeText(since) }),
    figures: figuresText,
    backup: backupText,
    read: (at: Date) => text.replicas.read({ at: dateTimeText(at) }),
  },
  disk: {
    lead: (total: number, room: number | null) =>
      room === null
        ? text.disk.leadShared({ total: bytesText(total) })
        : text.disk.lead({ total: bytesText(total), room: bytesText(room) }),
    growth: growthText,
    held: (before: Date, until: Date) => text.disk.held({ until: dateTimeText(until), before: dateTimeText(before) }),
    bytes: (bytes: number) => bytesText(bytes),
    removed: removedText,
    measured: (at: Date) => text.disk.measured({ at: dateTimeText(at) }),
  },
  log: {
    kept: (kept: number, most: number) => (kept < most ? text.log.keptAll({ kept }) : text.log.keptLast({ most })),
    request: requestText,
    /** The facts that the screen shows beside a message, by their names in the line. All others are in the details. */
    factLabels: { 'err.message': text.log.factNames.reason, ...text.log.factNames },
  },
}));
