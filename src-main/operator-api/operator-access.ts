import type { ApprovalRequest, Grant } from '../../src-shared/operator-contract/access.ts';
import type { ClientKey } from '../../src-shared/operator-contract/accounts.ts';
import type { Approval, ApprovalProblem } from '../access/grants/approvals.ts';
import type { Result } from '../platform/result.ts';

export type KeyProblem = 'invalid_key' | 'private_key' | 'key_id_taken';

/** What the operator does with grant requests, grants, tokens and keys: the operator's side of src-main/access. */
export interface OperatorAccess {
  listApprovals(): Promise<ApprovalRequest[]>;
  getApproval(id: string): Promise<ApprovalRequest | undefined>;
  approve(approval: Approval): Promise<Result<void, ApprovalProblem>>;
  deny(id: string): Promise<Result<void, 'not_found' | 'not_waiting'>>;
  listGrants(request: { cursor: string | undefined; limit: number }): Promise<{ items: Grant[]; nextCursor: string | null }>;
  getGrant(id: string): Promise<Grant | undefined>;
  /** @returns the id of the token's grant. */
  rotateToken(tokenId: string): Promise<Result<string, 'not_found' | 'ended'>>;
  /** @returns the id of the token's grant. */
  revokeToken(tokenId: string): Promise<Result<string, 'not_found'>>;
  revokeGrant(id: string): Promise<Result<void, 'not_found'>>;
  /** @returns how many grants and grant requests of the client were ended. */
  revokeAllOf(clientId: string): Promise<number>;
  /** @returns false when the grant is not frozen. */
  allowAgain(id: string): Promise<boolean>;
  listClientKeys(walletAddressId: string): Promise<ClientKey[]>;
  addClientKey(key: { walletAddressId: string; label: string; jwk: string }): Promise<Result<ClientKey, KeyProblem>>;
  revokeClientKey(keyId: string): Promise<Result<ClientKey, 'not_found'>>;
}
