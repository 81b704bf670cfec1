/** Which of several packets may have arrived when it is known how much arrived in all. */

/**
 * The packets whose amounts add up to `sum`.
 * @param alike the packets, in groups in which each may stand for any other. It does not matter which of them arrived.
 * @returns undefined when no packets add up to it, or when others do, too.
 */
export function onlyChoice<Packet>(
  alike: readonly (readonly Packet[])[],
  sum: bigint,
  amountOf: (packet: Packet) => bigint,
): ReadonlySet<Packet> | undefined {
  const [choice, another] = choicesFor(alike, sum, amountOf);
  return sum <= 0n || choice === undefined || another !== undefined ? undefined : new Set(choice);
}

/** Some packets whose amounts add up to `sum`. @returns undefined when none do. */
export function anyChoice<Packet>(
  packets: readonly Packet[],
  sum: bigint,
  amountOf: (packet: Packet) => bigint,
): ReadonlySet<Packet> | undefined {
  const [choice] = choicesFor([...Map.groupBy(packets, amountOf).values()], sum, amountOf);
  return choice && new Set(choice);
}

/** Finds the choices that add up to `sum`, or two of them where there are more. */
function choicesFor<Packet>(
  [alike, ...others]: readonly (readonly Packet[])[],
  sum: bigint,
  amountOf: (packet: Packet) => bigint,
): Packet[][] {
  const [first] = alike ?? [];
  if (alike === undefined || first === undefined) return sum === 0n ? [[]] : [];
  const choices: Packet[][] = [];
  for (let count = 0; count <= alike.length && choices.length < 2; count += 1) {
    const left = sum - BigInt(count) * amountOf(first);
    if (left < 0n) break;
    choices.push(...choicesFor(others, left, amountOf).map((choice) => [...alike.slice(0, count), ...choice]));
  }
  return choices;
}
