import type { Peer } from '../../../src-shared/operator-contract/peers.ts';
import type { PeerWithAccount } from '../../peers/peer-registry.ts';
import type { OperatorContext } from '../context.ts';
import { operations } from './guarded-operations.ts';

const os = operations.peers;

export const peersHandlers = os.router({
  list: os.list.handler(async ({ context, input }) => {
    const { peers, nextCursor } = await context.peers.registry.list(input);
    return { items: peers.map((peer) => toPeer(context, peer)), nextCursor };
  }),
  get: os.get.handler(async ({ context, input, errors }) => {
    const peer = await context.peers.registry.get(input.id);
    if (peer === undefined) throw errors.NOT_FOUND();
    return toPeer(context, peer);
  }),
  self: os.self.handler(async ({ context: { peers, urls, walletAddresses } }) => ({
    ilpAddress: peers.nodeAddress,
    endpoint: `${urls.origin}/ilp`,
    addresses: peers.addressesFor(await walletAddresses.assets()),
  })),
  add: os.add.handler(async ({ context, input: { requestId, ...wanted }, errors }) => {
    const added = await context.peers.registry.add({ id: requestId, ...wanted });
    if (added.ok) return { peer: toPeer(context, added.value), incomingToken: added.value.incomingToken };
    switch (added.error) {
      case 'token_taken':
        throw errors.TOKEN_TAKEN();
      case 'added_before':
        throw errors.ADDED_BEFORE();
      default:
        throw refusedSettings(errors, added.error);
    }
  }),
  edit: os.edit.handler(async ({ context, input: { id, ...changes }, errors }) => {
    const edited = await context.peers.registry.edit(id, changes);
    if (edited.ok) return toPeer(context, edited.value);
    throw edited.error === 'not_found' ? errors.NOT_FOUND() : refusedSettings(errors, edited.error);
  }),
  renewToken: os.renewToken.handler(async ({ context, input: { id }, errors }) => {
    const renewed = await context.peers.registry.renewToken(id);
    if (!renewed.ok) throw errors.NOT_FOUND();
    return { peer: toPeer(context, renewed.value), incomingToken: renewed.value.incomingToken };
  }),
  pause: os.pause.handler(async ({ context, input: { id }, errors }) => {
    const paused = await context.peers.registry.setState(id, 'paused');
    if (!paused.ok) throw errors.NOT_FOUND();
    return toPeer(context, paused.value);
  }),
  resume: os.resume.handler(async ({ context, input: { id }, errors }) => {
    const resumed = await context.peers.registry.setState(id, 'active');
    if (!resumed.ok) throw errors.NOT_FOUND();
    return toPeer(context, resumed.value);
  }),
  remove: os.remove.handler(async ({ context, input: { id }, errors }) => {
    const removed = await context.peers.registry.remove(id);
    if (removed.ok) return toPeer(context, removed.value);
    throw removed.error === 'not_found' ? errors.NOT_FOUND() : errors.NOT_SETTLED();
  }),
  settle: os.settle.handler(async ({ context, input: { id: peerId, requestId: id, direction, amount, note }, errors }) => {
    const settled = await context.peers.settle({ id, peerId, direction, amount, note });
    if (settled.ok) return toPeer(context, settled.value);
    switch (settled.error) {
      case 'not_found':
        throw errors.NOT_FOUND();
      case 'id_taken':
        throw errors.REQUEST_ID_TAKEN();
      case 'past_credit':
        throw errors.PAST_CREDIT();
      case 'too_large':
        throw errors.TOO_LARGE();
    }
  }),
  test: os.test.handler(async ({ context, input: { id }, errors }) => {
    const tested = await context.peers.test(id);
    if (!tested.ok) throw errors.NOT_FOUND();
    return tested.value;
  }),
  steps: os.steps.handler(async ({ context, input: { id }, errors }) => {
    const found = await context.peers.steps(id);
    if (!found.ok) throw errors.NOT_FOUND();
    return found.value;
  }),
});

type SettingsErrors = Readonly<Record<'INVALID_ENDPOINT' | 'OWN_ADDRESS' | 'ADDRESS_TAKEN', () => Error>>;

/** The error for what is wrong with the settings of a new or a known peer. */
function refusedSettings(errors: SettingsErrors, error: 'invalid_endpoint' | 'own_address' | 'address_taken'): Error {
  switch (error) {
    case 'invalid_endpoint':
      return errors.INVALID_ENDPOINT();
    case 'own_address':
      return errors.OWN_ADDRESS();
    case 'address_taken':
      return errors.ADDRESS_TAKEN();
  }
}

/** A peer as the console reads it. */
export function toPeer({ peers }: OperatorContext, { row, position, creditLimit }: PeerWithAccount): Peer {
  const { id, name, state, assetCode, assetScale, ilpAddress, routes, endpoint } = row;
  const { inFlight, debtLimit, maxPacketAmount, deduplicates, createdAt } = row;
  const { lastSeenAt, lastProblem } = peers.sightingOf(id);
  return {
    ...{ id, name, state, assetCode, assetScale, ilpAddress, routes, endpoint },
    ...{ position, inFlight, creditLimit, debtLimit, maxPacketAmount, deduplicates, lastProblem },
    lastSeenAt: lastSeenAt === null ? null : new Date(lastSeenAt),
    createdAt: new Date(createdAt),
  };
}
