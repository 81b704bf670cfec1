import type { AccessAction, AccessRight, AccessType } from './access-rights.ts';

export interface AccessNeed {
  type: AccessType;
  /** What the endpoint does. `read-all` and `list-all` satisfy `read` and `list`. */
  action: 'create' | 'complete' | 'read' | 'list';
  /** The wallet address to which the resource belongs, under the current origin. */
  walletAddressUrl: string;
}

export interface Allowed {
  right: AccessRight;
  /** Whether the client may see its own resources only. The node answers as if the others did not exist. */
  ownOnly: boolean;
}

/**
 * `insufficient`: the client has no right for such an action (403). `not_here`: it has one for another wallet address
 * only, so the node answers as if the resources of this one did not exist (404).
 */
type AccessRefusal = 'insufficient' | 'not_here';

const WIDE: Partial<Record<AccessNeed['action'], AccessAction>> = { read: 'read-all', list: 'list-all' };

/** Finds the right that allows something. It prefers the widest one (protocol-notes.md#PN-16, decisions.md#D-38). */
export function allows(access: readonly AccessRight[], need: AccessNeed): Allowed | AccessRefusal {
  const wide = WIDE[need.action];
  const candidates = access.filter(({ type, actions }) => type === need.type && wants(actions, need.action, wide));
  if (candidates.length === 0) return 'insufficient';
  const here = candidates.filter(({ identifier }) => identifier === undefined || identifier === need.walletAddressUrl);
  const widest = here.find(({ actions }) => wide !== undefined && actions.includes(wide));
  const right = widest ?? here[0];
  return right === undefined ? 'not_here' : { right, ownOnly: right !== widest };
}

const wants = (actions: readonly AccessAction[], action: AccessAction, wide: AccessAction | undefined): boolean =>
  actions.includes(action) || (wide !== undefined && actions.includes(wide));
