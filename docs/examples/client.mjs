// @ts-check
import { createAuthenticatedClient } from '@interledger/open-payments';

const { WALLET_ADDRESS: walletAddressUrl = '', KEY_ID: keyId = '', PRIVATE_KEY_FILE: privateKey = '' } = process.env;

/** Signs every request with your key. The public one must be at your wallet address, in `jwks.json`. */
export const client = await createAuthenticatedClient({ walletAddressUrl, keyId, privateKey, logLevel: 'silent' });
