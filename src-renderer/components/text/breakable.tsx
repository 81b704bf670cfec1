import { Fragment } from 'react';

/** Shows an address that breaks into lines after its slashes, not within its words. A copy of it stays unchanged. */
export function Breakable({ text }: { text: string }) {
  return text.split(/(?<=\/)(?!\/)/).map((piece, index) => {
    // The pieces have no other identity than their place.
    const key = `${index}`;
    return (
      <Fragment key={key}>
        {index > 0 && <wbr />}
        {piece}
      </Fragment>
    );
  });
}
