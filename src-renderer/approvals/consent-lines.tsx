import type { ConsentLine } from '../../src-shared/words/consent.ts';
import { plain } from '../../src-shared/words/words.ts';
import { Sentence } from '../components/text/sentence.tsx';
import classes from './consent-lines.module.css';

/** What is asked or allowed, one fact a line. `expands` lets a long fact be opened; inside a list it stays short. */
export function ConsentLines({ lines, expands = true, 'data-testid': testId }: Props) {
  return (
    <dl className={classes.lines} data-testid={testId}>
      {lines.map(({ label, values }, index) => {
        // The lines of one request have no other identity than their place in it.
        const key = `${index}`;
        return (
          <div key={key} className={classes.line}>
            <dt>{label}</dt>
            {values.map((words) => (
              <dd key={plain(words)}>
                <Sentence words={words} expands={expands} />
              </dd>
            ))}
          </div>
        );
      })}
    </dl>
  );
}

interface Props {
  lines: readonly ConsentLine[];
  expands?: boolean;
  'data-testid'?: string;
}
