import type { Acceptance, Invitation } from '../../../../src-shared/operator-contract/peering/invitations.ts';
import type { InvitationProblem } from '../../../../src-shared/peering/invitation-problems.ts';
import { isInvitationProblem } from '../../../../src-shared/peering/invitation-problems.ts';
import type { Acceptance as StoredAcceptance } from '../../../peers/invitations/accepted-invitations.ts';
import type { Invitation as StoredInvitation } from '../../../peers/invitations/given-invitations.ts';
import { operations } from '../guarded-operations.ts';
import { toPeer } from '../peers-handlers.ts';

const os = operations.invitations;

export const invitationsHandlers = os.router({
  list: os.list.handler(async ({ context: { peering } }) => ({
    given: (await peering.given.open()).map(toInvitation),
    accepted: (await peering.accepted.list()).flatMap(toAcceptance),
  })),
  create: os.create.handler(async ({ context, input: { requestId: id, ...wanted }, errors }) => {
    const made = await context.peering.given.create({ id, ...wanted });
    if (!made.ok) throw errors.MADE_BEFORE();
    return { invitation: toInvitation(made.value.invitation), code: made.value.code };
  }),
  changeLimit: os.changeLimit.handler(async ({ context, input: { id, creditLimit }, errors }) => {
    const changed = await context.peering.given.changeLimit(id, creditLimit);
    if (!changed.ok) throw errors.NOT_OPEN();
    return toInvitation(changed.value);
  }),
  cancel: os.cancel.handler(async ({ context, input: { id }, errors }) => {
    const cancelled = await context.peering.given.cancel(id);
    if (!cancelled.ok) throw errors.NOT_OPEN();
    return toInvitation(cancelled.value);
  }),
  read: os.read.handler(async ({ context, input: { code }, errors }) => {
    const read = await context.peering.accepted.read(code);
    if (!read.ok) throw errors.INVITATION({ data: { problem: read.error } });
    return { ...read.value, expiresAt: new Date(read.value.expiresAt) };
  }),
  accept: os.accept.handler(async ({ context, input, errors }) => {
    const refused = (problem: InvitationProblem) => errors.INVITATION({ data: { problem } });
    const accepted = await context.peering.accepted.accept(input);
    if (!accepted.ok) throw refused(accepted.error);
    const peer = await context.peers.registry.get(accepted.value.id);
    if (peer === undefined) throw refused('used');
    return { peer: toPeer(context, peer) };
  }),
  testBothWays: os.testBothWays.handler(async ({ context: { peers, peering }, input: { id }, errors }) => {
    const there = await peers.tryWay(id);
    if (!there.ok) throw errors.NOT_FOUND();
    return { there: there.value, back: await peering.testBack(id) };
  }),
  renewTokens: os.renewTokens.handler(async ({ context, input: { id }, errors }) => {
    const renewed = await context.peering.renewals.renew(id);
    if (renewed.ok) return { state: renewed.value.state === 'done' ? 'done' : 'under_way' };
    switch (renewed.error) {
      case 'not_found':
        throw errors.NOT_FOUND();
      case 'by_hand':
        throw errors.BY_HAND();
      case 'other_renewal':
        return { state: 'under_way' };
      default:
        throw errors.PEER_UNREACHABLE();
    }
  }),
});

const toInvitation = ({ id, assetCode, assetScale, creditLimit, introduction, createdAt, expiresAt }: StoredInvitation): Invitation => ({
  ...{ id, assetCode, assetScale, creditLimit, introduction },
  createdAt: new Date(createdAt),
  expiresAt: new Date(expiresAt),
});

function toAcceptance({ id, origin, name, assetCode, assetScale, state, problem, createdAt }: StoredAcceptance): Acceptance[] {
  if (state === 'done') return [];
  const told = isInvitationProblem(problem) ? problem : null;
  return [{ id, origin, name, assetCode, assetScale, state, problem: told, createdAt: new Date(createdAt) }];
}
