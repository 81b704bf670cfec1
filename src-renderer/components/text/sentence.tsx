import { Fragment } from 'react';
import type { Words } from '../../../src-shared/words/words.ts';
import { InertText } from './inert-text.tsx';

/** Shows a sentence of the catalogue, with its facts marked and made inert. */
export function Sentence({ words, expands = true }: { words: Words; expands?: boolean }) {
  return words.map((piece, index) => {
    // The pieces of one sentence have no other identity than their place in it.
    const key = `${index}`;
    if (typeof piece === 'string') return <Fragment key={key}>{piece}</Fragment>;
    return (
      <strong key={key}>
        <InertText text={piece.strong} expands={expands} />
      </strong>
    );
  });
}
