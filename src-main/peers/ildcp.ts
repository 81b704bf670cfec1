import type { Asset } from '../../src-shared/amounts.ts';

/** The ILP address where a node asks its peer for its own address and currency (RFC 31). */
export const ILDCP_ADDRESS = 'peer.config';
/** The fulfilment of every such question. */
export const ILDCP_FULFILMENT: Buffer = Buffer.alloc(32);

/**
 * The data of the answer (RFC 31): the address that the asker may use (ASCII), and the scale and code of the currency
 * in which the two nodes count.
 */
export function ildcpAnswer(address: string, { assetCode, assetScale }: Asset): Buffer {
  return Buffer.concat([varOctets(address), Buffer.from([assetScale]), varOctets(assetCode)]);
}

/** Reads the currency that an answer names. It is undefined for data that is no such answer. */
export function readIldcpAnswer(data: Buffer): Asset | undefined {
  const address = readVarOctets(data, 0);
  const code = address && readVarOctets(data, address.end + 1);
  return address && code && { assetScale: data.readUInt8(address.end), assetCode: code.text };
}

/**
 * Encodes octets of variable length in OER (X.696 §8.6). A length below 128 takes one byte. For a longer one, the
 * first byte says after its top bit how many bytes the length takes. The octets follow.
 */
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
