import type { Asset } from '../../src-shared/amounts.ts';

/** Where a node asks its peer for its address and currency (RFC 31). */
export const ILDCP_ADDRESS = 'peer.config';
/** The fulfilment of every such question. */
export const ILDCP_FULFILMENT: Buffer = Buffer.alloc(32);

/** The data of the answer: the address the asker may use (ASCII), the scale and code of the currency the account is in. */
export function ildcpAnswer(address: string, { assetCode, assetScale }: Asset): Buffer {
  return Buffer.concat([varOctets(address), Buffer.from([assetScale]), varOctets(assetCode)]);
}

/** The currency that an answer names; undefined for what is none. */
export function readIldcpAnswer(data: Buffer): Asset | undefined {
  const address = readVarOctets(data, 0);
  const code = address && readVarOctets(data, address.end + 1);
  return address && code && { assetScale: data.readUInt8(address.end), assetCode: code.text };
}

/** OER: a length of one byte below 128, else of as many bytes as the first one says after its top bit; then the bytes (X.696 §8.6). */
function varOctets(text: string): Buffer {
  const content = Buffer.from(text, 'utf8');
  const length = content.length < 128 ? [content.length] : [0x82, content.length >> 8, content.length & 0xff];
  return Buffer.concat([Buffer.from(length), content]);
}

function readVarOctets(data: Buffer, at: number): { text: string; end: number } | undefined {
  const first = data[at];
  if (first === undefined || first > 0x82 || first === 0x80) return undefined;
  const lengthBytes = first < 128 ? 0 : first & 0x7f;
  const start = at + 1 + lengthBytes;
  if (start > data.length) return undefined;
  const length = lengthBytes === 0 ? first : data.readUIntBE(at + 1, lengthBytes);
  const end = start + length;
  return end <= data.length ? { text: data.toString('utf8', start, end), end } : undefined;
}
