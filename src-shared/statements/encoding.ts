import { FILE_KINDS, type StatementFormat } from './statement.ts';

/** The bytes of a piece of a file. A character that the encoding does not have becomes a question mark. */
export function bytesOf(text: string, format: StatementFormat): Uint8Array<ArrayBuffer> {
  if (FILE_KINDS[format].encoding === 'utf-8') return new TextEncoder().encode(text);
  return Uint8Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code <= 0x7f || (code >= 0xa0 && code <= 0xff) ? code : 0x3f;
  });
}
