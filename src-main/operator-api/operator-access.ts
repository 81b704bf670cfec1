import type { OperatorKeys } from '../access/client-keys/operator-keys.ts';
import type { ClientTiers } from '../access/clients/client-tiers.ts';
import type { Approvals } from '../access/grants/approvals.ts';
import type { OperatorViews } from '../access/grants/operator-views.ts';
import type { AccessTokens } from '../access/tokens/access-tokens.ts';

/**
 * What the operator does with grant requests, grants, tokens and client keys: the operator's side of src-main/access.
 */
export interface OperatorAccess {
  readonly approvals: Pick<Approvals, 'approve' | 'deny'>;
  readonly views: Pick<
    OperatorViews,
    | 'listApprovals'
    | 'getApproval'
    | 'listGrants'
    | 'getGrant'
    | 'revokeGrant'
    | 'revokeAllOf'
    | 'revokeSeveral'
    | 'allowAgain'
    | 'listFrozen'
    | 'countFrozen'
  >;
  readonly tokens: Pick<AccessTokens, 'rotateByOperator' | 'revokeByOperator'>;
  readonly tiers: Pick<ClientTiers, 'trustIn' | 'choose' | 'isOwn' | 'limits'>;
  readonly clientKeys: Pick<OperatorKeys, 'list' | 'add' | 'revoke'>;
}
