import type { DatevSettings } from '../../../../src-shared/statements/datev-settings.ts';
import { haveOneLength } from '../../../../src-shared/statements/datev-settings.ts';
import { isOneFiscalYear } from '../../../../src-shared/statements/formats/datev.ts';
import { STATEMENT_FORMATS, type StatementHead } from '../../../../src-shared/statements/statement.ts';
import { type FileChoice, writerOf } from '../../../../src-shared/statements/writers.ts';
import { appendEvent } from '../../../journal/events.ts';
import { lastDatev, rememberDatev } from '../../../statements/datev-memory.ts';
import { drawUp, fits, type StatementRefusal, written } from '../../../statements/statement.ts';
import { languageOf, statementWords } from '../../../statements/statement-words.ts';
import { lacksRate } from '../../../statements/worth.ts';
import type { OperatorContext } from '../../context.ts';
import { operations } from '../guarded-operations.ts';
import { files, inTurn } from './book-turns.ts';

const os = operations.statements;

const CODES = {
  not_found: 'NOT_FOUND',
  bad_period: 'BAD_PERIOD',
  books_differ: 'BOOKS_DIFFER',
  busy: 'BOOKS_BUSY',
} as const satisfies Record<StatementRefusal | 'busy', string>;
const FORMAT_CODES = { unsuitable: 'UNSUITABLE', too_many_lines: 'TOO_MANY_LINES' } as const;

export const statementsHandlers = os.router({
  look: os.look.handler(async ({ context, input, errors }) => {
    const drawn = await inTurn(() => drawUp(context, input));
    if (!drawn.ok) throw errors[CODES[drawn.error]]();
    const { head, homeCurrency } = drawn.value;
    const { assetCode, assetScale, from, to, isEnded, opening, closing, credits, debits } = head;
    const formats = STATEMENT_FORMATS.filter((format) => fits(head, format).ok);
    const noRateTo = (await lacksRate(context.database.readAside, homeCurrency, head)) ? homeCurrency : null;
    return { assetCode, assetScale, from, to, isEnded, opening, closing, credits, debits, noRateTo, formats };
  }),
  settings: os.settings.handler(async ({ context }) => ({ datev: (await lastDatev(context.database.read)) ?? null })),
  export: os.export.handler(async ({ context, input, errors, signal }) => {
    const drawn = await inTurn(() => drawUp(context, input));
    if (!drawn.ok) throw errors[CODES[drawn.error]]();
    const { head } = drawn.value;
    const { format } = input;
    const language = languageOf(input.language);
    const fitting = fits(head, format);
    if (!fitting.ok) throw errors[FORMAT_CODES[fitting.error]]();
    const datev = format === 'datev' ? (input.datev ?? (await lastDatev(context.database.read))) : undefined;
    const choice: FileChoice | undefined = format === 'datev' ? datev && { format, language, datev } : { format, language };
    if (choice === undefined) throw errors.DATEV_NEEDED();
    if (datev !== undefined && !haveOneLength(datev)) throw errors.ACCOUNTS_DIFFER();
    if (datev !== undefined && !isOneFiscalYear(head, datev)) throw errors.TWO_YEARS();
    const words = await statementWords(language);
    const file = await files.take();
    if (!file.ok) throw errors.BOOKS_BUSY();
    try {
      // What the whole shop finds typed next time is not for a key of some accounts to change.
      await noteExport(context, head, choice, context.narrowed?.accounts === undefined ? input.datev : undefined);
    } catch (error) {
      file.value();
      throw error;
    }
    return untilEnd(written(context, drawn.value, writerOf(choice, head, words), signal), { signal, onEnd: file.value });
  }),
});

/** Reads a file to its end, or until its reader goes, also one who never begins to read. */
function untilEnd<T>(
  parts: AsyncGenerator<T, void, void>,
  { signal, onEnd }: { signal: AbortSignal | undefined; onEnd: () => void },
): AsyncGenerator<T, void, void> {
  if (signal?.aborted) onEnd();
  else signal?.addEventListener('abort', onEnd, { once: true });
  return (async function* () {
    try {
      yield* parts;
    } finally {
      onEnd();
    }
  })();
}

/** Records the export, and remembers what was typed for it. */
async function noteExport(
  { clock, database }: OperatorContext,
  { accountId, from, to }: StatementHead,
  { format }: FileChoice,
  datev: DatevSettings | undefined,
): Promise<void> {
  const at = clock.now();
  await database.write(async (tx) => {
    if (format === 'datev' && datev !== undefined) await rememberDatev(tx, datev);
    await appendEvent(tx, { type: 'statement.exported', subject: accountId, walletAddressId: accountId, body: { from, to, format }, at });
  });
}
