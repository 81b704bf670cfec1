import type { GrantAnswer, GrantRequest } from '../grants/grants.ts';
import { findLivingToken } from '../tokens/access-tokens.ts';
import { grantRequest, type TestAccess } from './access.ts';

type Pending = Extract<GrantAnswer, { kind: 'pending' }>;

/** Asks for a grant that then waits for the operator. @returns the answer, and the grant's id. */
export async function ask(access: TestAccess, change: Partial<GrantRequest> = {}): Promise<Pending & { grantId: string }> {
  const answer = await access.grants.request(grantRequest(change));
  if (!answer.ok || answer.value.kind !== 'pending') throw new Error(`not pending: ${answer.ok ? 'issued' : answer.error}`);
  const { continuation } = answer.value;
  const grant = await access.continuations.find(continuation.id, continuation.token);
  if (grant === undefined) throw new Error('no such continuation');
  return { ...answer.value, grantId: grant.id };
}

/** Opens the page and reads its code. */
export async function open(access: TestAccess, { interaction }: Pick<Pending, 'interaction'>): Promise<string> {
  const view = await access.interactions.open(interaction.id, interaction.nonce);
  if (view?.kind !== 'waiting') throw new Error('the page shows no code');
  return view.code;
}

/** Makes a code that differs from this one. */
export const otherCode = (code: string): string => (code === '0000' ? '1111' : '0000');

/** Makes a grant request whose page was opened and which the operator has approved. */
export async function approved(access: TestAccess, change: Partial<GrantRequest> = {}) {
  const pending = await ask(access, change);
  const code = await open(access, pending);
  const shown = await access.views.getApproval(pending.grantId);
  const decided = await access.approvals.approve({ id: pending.grantId, code, shownHash: shown?.shownHash ?? '' });
  if (!decided.ok) throw new Error(`not approved: ${decided.error.code}`);
  return pending;
}

/** Goes the whole way: the client asks, the operator approves, and the client continues. */
export async function issued(access: TestAccess, change: Partial<GrantRequest> = {}) {
  const pending = await approved(access, change);
  const grant = await access.continuations.find(pending.continuation.id, pending.continuation.token);
  if (grant === undefined) throw new Error('no such grant');
  const answer = await access.continuations.continue(grant, access.continuations.interactRef(grant.id));
  if (!answer.ok || answer.value.kind !== 'issued' || answer.value.token === undefined) throw new Error('no token');
  return { ...pending, grant, token: answer.value.token };
}

export const livingToken = async (access: TestAccess, grantId: string) => await findLivingToken(access.database.read, grantId);
