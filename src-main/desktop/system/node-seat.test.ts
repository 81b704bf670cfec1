import { describe, expect, it } from 'vitest';
import type { LockReason } from '../../../src-shared/operator-contract/lock.ts';
import { NodeSeat } from './node-seat.ts';

/** A node that closes when the test says so. */
function openNode(name: string) {
  const closed = Promise.withResolvers<void>();
  const node = {
    name,
    reasons: [] as LockReason[],
    closes: 0,
    mayClose: () => closed.resolve(),
    operator: {
      get locked() {
        return node.reasons.length > 0;
      },
      lock: (reason: LockReason) => {
        node.reasons.push(reason);
        return true;
      },
    },
    close: () => {
      node.closes += 1;
      return closed.promise;
    },
  };
  return node;
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

function replacing() {
  const [old, next] = [openNode('old'), openNode('next')];
  const seat = new NodeSeat(old);
  const started = Promise.withResolvers<typeof next>();
  let starts = 0;
  const replaced = seat.replace(() => {
    starts += 1;
    return started.promise;
  });
  return { old, next, seat, replaced, started: () => started.resolve(next), fails: started.reject, starts: () => starts };
}

describe('a node that takes the place of another one', () => {
  it('serves whoever has asked meanwhile', async () => {
    const { old, next, seat, replaced, started } = replacing();
    const asked = seat.serving;
    old.mayClose();
    started();
    expect(await asked).toBe(next);
    expect(await replaced).toBe(next);
    expect(seat.node).toBe(next);
    expect(next.reasons).toEqual([]);
  });

  it('is locked before it serves anybody, when the screen was locked while no node ran', async () => {
    const { old, next, seat, replaced, started } = replacing();
    old.mayClose();
    await turns();
    seat.lock('sleep');
    seat.lock('user_switch');
    const locked = seat.serving.then(() => [...next.reasons]);
    started();
    expect(await locked).toEqual(['sleep']);
    await replaced;
  });

  it('is locked when the one before was locked at the end, for whatever reason', async () => {
    const { old, next, replaced, started } = replacing();
    old.operator.lock('idle');
    old.mayClose();
    started();
    await replaced;
    expect(next.reasons).toEqual(['operator']);
  });

  it('is not locked because of what was long ago', async () => {
    const seat = new NodeSeat(openNode('first'));
    seat.lock('sleep');
    seat.node.reasons.length = 0;
    seat.node.mayClose();
    const next = openNode('next');
    await seat.replace(async () => next);
    expect(next.reasons).toEqual([]);
  });
});

describe('an app that ends', () => {
  it('closes its node', async () => {
    const node = openNode('only');
    node.mayClose();
    await new NodeSeat(node).end();
    expect(node.closes).toBe(1);
  });

  it('starts no other node while it closes its node', async () => {
    const { old, seat, replaced, starts } = replacing();
    const ended = seat.end();
    await turns();
    old.mayClose();
    await ended;
    expect(await replaced).toBeUndefined();
    expect(starts()).toBe(0);
  });

  it('closes the node that was just being started', async () => {
    const { old, next, seat, replaced, started } = replacing();
    old.mayClose();
    await turns();
    const ended = seat.end();
    next.mayClose();
    started();
    await ended;
    expect(await replaced).toBeUndefined();
    expect(next.closes).toBe(1);
  });

  it('ends even when the next node does not start', async () => {
    const { old, seat, replaced, fails } = replacing();
    old.mayClose();
    await turns();
    const ended = seat.end();
    fails(new Error('the port is taken'));
    await expect(replaced).rejects.toThrow('the port is taken');
    await ended;
  });
});
