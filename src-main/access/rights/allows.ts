import type { AccessAction, AccessRight, AccessType } from './access-rights.ts';

export interface AccessNeed {
  type: AccessType;
  /** What the endpoint does; `read-all` and `list-all` satisfy `read` and `list`. */
  action: 'create' | 'complete' | 'read' | 'list';
  /** The wallet address the resource belongs to, under the current origin. */
  walletAddressUrl: string;
}

export interface Allowed {
  right: AccessRight;
  /** Whether only resources of the same client may be seen; others are as absent. */
  ownOnly: boolean;
}

/**
 * `insufficient`: no right for such an action at all (403). `not_here`: there is one, but for another wallet address, so
 * that this one's resources are as absent (404).
 */
export type AccessRefusal = 'insufficient' | 'not_here';

const WIDE: Partial<Record<AccessNeed['action'], AccessAction>> = { read: 'read-all', list: 'list-all' };

/** The right that allows something, the widest first (facts §5, decisions "token at the resource server"). */
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
