/** A secret that the test has seen, with a name that says what it is. */
export interface Secret {
  readonly what: string;
  /** The secret as the test knows it: the text itself, or its bytes. */
  readonly value: string | Buffer;
}

/** The ways in which a secret could be written: as it is, and its bytes in each of the usual spellings. */
export function spellingsOf({ value }: Secret): string[] {
  const readings = Buffer.isBuffer(value) ? [value] : [Buffer.from(value), ...bytesOf(value)];
  const spellings = readings.flatMap((bytes) => [
    bytes.toString('base64'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    // This is what JSON.stringify makes of a Buffer.
    bytes.toJSON().data.join(','),
    encodeURIComponent(bytes.toString('base64')),
  ]);
  return [...new Set(Buffer.isBuffer(value) ? spellings : [value, JSON.stringify(value).slice(1, -1), ...spellings])];
}

/** A text that spells bytes stands for these bytes, too. */
function bytesOf(text: string): Buffer[] {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length >= 16 && bytes.toString('base64url') === text ? [bytes] : [];
}

/**
 * Lists which of `secrets` occur in a text or file, in whatever spelling. In files it looks for the bytes, too.
 */
export function leaksIn(content: string | Buffer, secrets: readonly Secret[]): string[] {
  const text = Buffer.isBuffer(content) ? content.toString('latin1') : content;
  return secrets.filter((secret) => needles(secret).some((needle) => text.includes(needle))).map(({ what }) => what);
}

function needles(secret: Secret): string[] {
  const { value } = secret;
  const raw = Buffer.isBuffer(value) ? [value] : bytesOf(value);
  return [...spellingsOf(secret), ...raw.map((bytes) => bytes.toString('latin1'))];
}
