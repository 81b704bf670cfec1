import { expect, it } from 'vitest';
import type { FailPoint } from '../../src-main/platform/fail-points.ts';
import { CrashStage, type Scene } from '../simulator/crash-stage.ts';
import type { SimulatedNode } from '../simulator/simulated-node.ts';
import { NO_FAULTS } from '../support/nodes/fault-proxy.ts';

// A payment's life with a crash at every single moment that leaves a trace, of either node, one at a time.

/** Pauses or resumes every peer of a node. */
const setPeers = (state: 'active' | 'paused') => async (node: SimulatedNode) => {
  const { registry } = node.services.peers.operator;
  for (const { row } of (await registry.list({ limit: 100 })).peers) await registry.setState(row.id, state);
};

const SCENES: Record<string, Scene & { readonly ends: string }> = {
  'funded, sent, completed': { to: 'b', gets: 'USD', ends: 'completed' },
  'the same between currencies': { to: 'b', gets: 'EUR', ends: 'completed' },
  'the same on one node': { to: 'a', gets: 'USD', ends: 'completed' },
  'the same between currencies on one node': { to: 'a', gets: 'EUR', ends: 'completed' },
  'refused and released, tried again, completed': {
    ...{ to: 'b', gets: 'EUR', ends: 'completed' },
    ...{ trouble: setPeers('paused'), relief: setPeers('active'), reliefMs: 8_000 },
  },
  'taken without an answer, given up, settling, completed after all': {
    ...{ to: 'b', gets: 'USD', amount: 15_000n, ends: 'completed' },
    ...{ rates: { ...NO_FAULTS, cut: 1 }, reliefMs: 45_000 },
  },
  'lost on the way, given up, settling, failed, money back': {
    ...{ to: 'b', gets: 'EUR', ends: 'failed' },
    ...{ rates: { ...NO_FAULTS, drop: 1 }, reliefMs: 45_000 },
  },
  'closed by its receiver while it was on its way, released, failed': {
    ...{ to: 'b', gets: 'USD', ends: 'failed' },
    ...{ rates: { ...NO_FAULTS, drop: 1 }, reliefMs: 6_000 },
    trouble: async (node, id) => await node.services.incomingPayments.complete(id, null),
  },
};

const POINTS: readonly FailPoint[] = ['before-commit', 'after-commit', 'before-fulfil', 'after-hold', 'before-post', 'after-fulfil'];
const seen = new Set<FailPoint>();

it.each(Object.entries(SCENES))('no unit is lost, made or stuck, whichever node dies at whichever moment: %s', async (_, scene) => {
  const stage = await CrashStage.open();
  try {
    // The first time they meet, the nodes also get grants from each other.
    await stage.play(scene);
    const whole = await stage.play(scene);
    expect([whole.problems, whole.states]).toEqual([[], [scene.ends]]);
    for (const { point } of whole.passed) seen.add(point);
    let crashes = 0;
    for (const at of ['a', 'b']) {
      const moments = whole.passed.filter((passed) => passed.at === at).length;
      for (let nth = 1; nth <= moments; nth += 1) {
        for (const victim of ['a', 'b']) {
          const played = await stage.play(scene, { at, nth, victim });
          if (played.crashed) crashes += 1;
          // A payment that was not acknowledged may be there or not; one that was ends, and where nothing is lost on
          // the way it arrives.
          const ends = scene.ends === 'completed' ? ['completed'] : ['completed', 'failed'];
          expect({ at, nth, victim, problems: played.problems }).toEqual({ at, nth, victim, problems: [] });
          expect(ends, `${at} ${nth} ${victim}`).toEqual(expect.arrayContaining([...played.states]));
        }
      }
    }
    expect(crashes).toBeGreaterThanOrEqual(whole.passed.length);
    console.log(`${crashes} crashes at ${whole.passed.length} moments`);
  } finally {
    await stage.close();
  }
});

it('the scenes pass every fail point of a packet’s way', () => {
  expect([...seen].sort()).toEqual([...POINTS].sort());
});
