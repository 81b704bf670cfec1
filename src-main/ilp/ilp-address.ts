import type { Asset } from '../../src-shared/amounts.ts';
import { isNodeAddress } from '../../src-shared/ilp-address.ts';

/** What the address of a STREAM receiver on this node says. */
interface ReceiverAddress {
  readonly asset: Asset;
  /** The connection token. RFC 29 leaves its content to the receiver. */
  readonly token: Buffer;
}

const PLAIN_CODE = /^[A-Za-z0-9]{1,32}$/;

/**
 * The address segment that names an asset, such as `USD-2`. An ILP address has only `[A-Za-z0-9_~-]` (RFC 15). So a
 * code that is not made of letters and digits is written as `~` and its base64url form.
 */
export function assetSegment({ assetCode, assetScale }: Asset): string {
  const code = PLAIN_CODE.test(assetCode) ? assetCode : `~${Buffer.from(assetCode, 'utf8').toString('base64url')}`;
  return `${code}-${assetScale}`;
}

function parseAssetSegment(segment: string): Asset | undefined {
  const match = /^(~?)([A-Za-z0-9_-]+)-(\d{1,3})$/.exec(segment);
  if (!match) return undefined;
  const [, encoded, text = '', scale] = match;
  const asset = { assetCode: encoded ? Buffer.from(text, 'base64url').toString('utf8') : text, assetScale: Number(scale) };
  return asset.assetScale <= 255 && assetSegment(asset) === segment ? asset : undefined;
}

/** The address below which all receivers of a node in one asset lie. */
export const assetAddress = (nodeAddress: string, asset: Asset): string => `${nodeAddress}.${assetSegment(asset)}`;

/** The address of a receiver: the node's address, the asset's segment, the token. */
export const receiverAddress = (nodeAddress: string, asset: Asset, token: Buffer): string =>
  `${assetAddress(nodeAddress, asset)}.${token.toString('base64url')}`;

/**
 * Reads the address of a receiver of the node at `nodeAddress`.
 * @returns undefined for any other address, and for any spelling but the one that {@link receiverAddress} writes.
 * Base64 decoders skip what they do not know, so many texts would name one token, and each would be a receiver of its
 * own with its own limits.
 */
export function parseReceiverAddress(nodeAddress: string, address: string): ReceiverAddress | undefined {
  if (!isWithin(nodeAddress, address)) return undefined;
  const [assetText = '', tokenText = '', ...rest] = address.slice(nodeAddress.length + 1).split('.');
  const asset = parseAssetSegment(assetText);
  const token = Buffer.from(tokenText, 'base64url');
  if (!asset || rest.length > 0 || token.length === 0 || token.toString('base64url') !== tokenText) return undefined;
  return { asset, token };
}

/** Whether `address` lies below `prefix`. */
export const isWithin = (prefix: string, address: string): boolean => address.startsWith(`${prefix}.`);

/**
 * Checks that an address can be a node's.
 * @throws RangeError when it is no ILP address, or is too long to have receivers below it (RFC 15: 1023 characters).
 */
export function assertNodeAddress(address: string): void {
  if (!isNodeAddress(address)) throw new RangeError('not the ILP address of a node');
}
