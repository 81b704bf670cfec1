/** A call to one register, on the clock of the test, in milliseconds. */
export interface RegisterCall {
  readonly kind: 'write' | 'read';
  /** What was written or read. No two writes of a register write the same. */
  readonly value: string;
  readonly start: number;
  /** When the answer came. It is infinite where nobody knows whether, or when, the value was written. */
  readonly end: number;
}

/**
 * The time within which a register must have had a value. Of a `forward` zone the register must have had it all the
 * time from `from` to `to`. Of another it had it for at least one moment between the two.
 */
interface Zone {
  readonly value: string;
  readonly isForward: boolean;
  readonly from: number;
  readonly to: number;
}

/**
 * Looks whether a register can have been one: whether each call can have happened at one moment between its start and
 * its end, so that each read has what the last write before it wrote. With values that are written once, that holds
 * exactly when nothing is read before its write began, no two forward zones overlap, and none holds another zone
 * (Gibbons and Korach, "Testing Shared Memories", 1997).
 * @param initial what the register had before the first call.
 * @returns what contradicts, for people; undefined when nothing does.
 */
export function contradictionIn(calls: readonly RegisterCall[], initial: string): string | undefined {
  const before = Number.NEGATIVE_INFINITY;
  const byValue = new Map<string, RegisterCall[]>([[initial, [{ kind: 'write', value: initial, start: before, end: before }]]]);
  for (const call of calls) byValue.set(call.value, [...(byValue.get(call.value) ?? []), call]);
  const zones: Zone[] = [];
  for (const [value, all] of byValue) {
    const writes = all.filter(({ kind }) => kind === 'write');
    const [write] = writes;
    if (write === undefined) return `${value} was read and never written`;
    if (writes.length > 1) return `${value} was written twice`;
    const early = all.find(({ kind, end }) => kind === 'read' && end < write.start);
    if (early !== undefined) return `${value} was read at ${early.end}, before its write began at ${write.start}`;
    const [earliestEnd, latestStart] = [Math.min(...all.map(({ end }) => end)), Math.max(...all.map(({ start }) => start))];
    // Nobody has seen what it wrote, so that it may never have happened.
    if (earliestEnd === Number.POSITIVE_INFINITY) continue;
    const isForward = earliestEnd < latestStart;
    zones.push({ value, isForward, from: Math.min(earliestEnd, latestStart), to: Math.max(earliestEnd, latestStart) });
  }
  return overlapOf(zones);
}

function overlapOf(zones: readonly Zone[]): string | undefined {
  const forward = zones.filter(({ isForward }) => isForward).sort((a, b) => a.from - b.from);
  for (const [n, zone] of forward.entries()) {
    const next = forward[n + 1];
    if (next !== undefined && next.from < zone.to) return conflict(zone, next);
  }
  const others = zones.filter(({ isForward }) => !isForward).sort((a, b) => a.from - b.from);
  let at = 0;
  for (const other of others) {
    // Forward zones do not overlap here, so only the last one that begins before may hold this one.
    while ((forward[at + 1]?.from ?? Number.POSITIVE_INFINITY) < other.from) at += 1;
    const zone = forward[at];
    if (zone !== undefined && zone.from < other.from && other.to < zone.to) return conflict(zone, other);
  }
  return undefined;
}

const conflict = (zone: Zone, other: Zone): string =>
  `the register must have had ${zone.value} from ${zone.from} to ${zone.to}, and ${other.value} within ${other.from} to ${other.to}`;
