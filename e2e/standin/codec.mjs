// Turns what the structured clone of a message port carries into JSON and back. Both functions are also sent into the
// page as text, so they use nothing from outside themselves.

/** @param {unknown} value @returns {unknown} JSON with marked objects for what JSON does not know */
export function encode(value) {
  const base64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  const cannotBeCloned = () => {
    throw new Error('An object could not be cloned.');
  };
  const members = (one) => {
    if (![Object.prototype, null].includes(Object.getPrototypeOf(one)))
      throw new Error('electron stand-in: only plain objects cross a port');
    return Object.entries(one).map(([key, member]) => [key, visit(member)]);
  };
  const object = (one) => {
    if (one === null) return null;
    if (one instanceof Date) return { $: 'date', value: one.getTime() };
    if (one instanceof ArrayBuffer) return { $: 'buffer', value: base64(new Uint8Array(one)) };
    if (ArrayBuffer.isView(one)) return { $: 'bytes', value: base64(new Uint8Array(one.buffer, one.byteOffset, one.byteLength)) };
    return Array.isArray(one) ? one.map(visit) : { $: 'object', value: members(one) };
  };
  const kinds = {
    undefined: () => ({ $: 'undefined' }),
    bigint: (one) => ({ $: 'bigint', value: String(one) }),
    number: (one) => (Number.isFinite(one) ? one : { $: 'number', value: String(one) }),
    function: cannotBeCloned,
    symbol: cannotBeCloned,
    object,
  };
  const visit = (one) => kinds[typeof one]?.(one) ?? one;
  return visit(value);
}

/** @param {unknown} wire what {@link encode} made @returns {unknown} */
export function decode(wire) {
  const bytes = (text) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  const visit = (one) => {
    if (one === null || typeof one !== 'object') return one;
    if (Array.isArray(one)) return one.map(visit);
    switch (one.$) {
      case 'undefined':
        return undefined;
      case 'bigint':
        return BigInt(one.value);
      case 'number':
        return Number(one.value);
      case 'date':
        return new Date(one.value);
      case 'buffer':
        return bytes(one.value).buffer;
      case 'bytes':
        return bytes(one.value);
      default:
        return Object.fromEntries(one.value.map(([key, member]) => [key, visit(member)]));
    }
  };
  return visit(wire);
}
