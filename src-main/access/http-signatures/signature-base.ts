import type { Fields } from './fields.ts';

/** The parts of a request that a signature can cover. */
interface SignedMessage {
  method: string;
  /** The absolute URL, as the client wrote it. */
  targetUri: string;
  fields: Fields;
}

const URI = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)(\?[^#]*)?$/i;
const DEFAULT_PORTS: Record<string, string> = { https: ':443', http: ':80' };

/** The bytes that a header line can hold. With a line break one value could pass for two components. */
const INERT = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * What the client signed (RFC 9421 §2.5), one byte a character, as Node holds header text: `latin1` gives back the
 * bytes.
 * @param components names without parameters, each once
 * @param parameters the covered components and parameters as the signer wrote them
 * @returns undefined when the request has no such component
 */
export function signatureBase(components: readonly string[], parameters: string, message: SignedMessage): string | undefined {
  let base = '';
  for (const name of components) {
    const value = name.startsWith('@') ? derivedValue(name, message) : message.fields.get(name);
    if (value === undefined || !INERT.test(value)) return undefined;
    base += `"${name}": ${value}\n`;
  }
  return `${base}"@signature-params": ${parameters}`;
}

/** Derived components of a request (RFC 9421 §2.2). */
function derivedValue(name: string, { method, targetUri }: SignedMessage): string | undefined {
  if (name === '@method') return method;
  if (name === '@target-uri') return targetUri;
  const [, scheme = '', authority = '', path = '', query = ''] = URI.exec(targetUri) ?? [];
  if (scheme === '') return undefined;
  switch (name) {
    case '@scheme':
      return scheme.toLowerCase();
    case '@authority':
      return withoutDefaultPort(scheme.toLowerCase(), authority.toLowerCase());
    case '@path':
      return path || '/';
    case '@query':
      return query || '?';
    case '@request-target':
      return `${path || '/'}${query}`;
    default:
      return undefined;
  }
}

function withoutDefaultPort(scheme: string, authority: string): string {
  const port = DEFAULT_PORTS[scheme];
  return port !== undefined && authority.endsWith(port) ? authority.slice(0, -port.length) : authority;
}
