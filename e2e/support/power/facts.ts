import { createHash } from 'node:crypto';

/** The books in this folder must have a row with this id, for which the condition, in SQL, holds. */
export interface RowFact {
  folder: string;
  table: string;
  id: string;
  and?: string;
}

/** A file that must have this content. */
export interface FileFact {
  file: string;
  sha256: string;
}

/** Something that must be true for ever, because somebody was told so. */
export type Fact = RowFact | FileFact;

export const fileFact = (file: string, content: Uint8Array): Fact => ({ file, sha256: digest(content) });

export const digest = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');
