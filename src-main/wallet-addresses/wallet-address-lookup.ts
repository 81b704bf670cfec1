import type { Asset } from '../../src-shared/amounts.ts';

/** What grants need to know of an account of this node. */
export interface OwnWalletAddress extends Asset {
  id: string;
  name: string;
  publicName: string;
  /** Under the current origin. */
  url: string;
}

/** Finds this node's accounts; provided by the payments wing. */
export interface WalletAddressLookup {
  /** The account behind a URL under this or a former origin of the node. */
  byUrl(url: string): Promise<OwnWalletAddress | undefined>;
}
