import type { Account } from '../../src-shared/operator-contract/accounts.ts';
import type { DatevSettings } from '../../src-shared/statements/datev-settings.ts';
import { bytesOf } from '../../src-shared/statements/encoding.ts';
import type { Period } from '../../src-shared/statements/period.ts';
import { FILE_KINDS, type StatementFormat } from '../../src-shared/statements/statement.ts';
import { spoken } from '../../src-shared/words/language/language.ts';
import { saveFile } from '../components/forms/save-file.ts';
import { type ExportedRows, useExport } from '../components/forms/use-export.ts';
import { client } from '../transport/operator-client.ts';

/** The file that is wanted. */
interface WantedFile {
  account: Account;
  period: Period;
  format: StatementFormat;
  datev: DatevSettings | undefined;
}

/** Fetches a statement part by part, and has the browser save it once it is whole. Leaving the page stops it. */
export const useFile = () => useExport(fetchFile);

/** @returns how many movements the file has. */
async function fetchFile(
  { account, period, format, datev }: WantedFile,
  signal: AbortSignal,
  onPart: (progress: ExportedRows) => void,
): Promise<number> {
  const input = { accountId: account.id, ...period, format, language: spoken(), ...(datev !== undefined && { datev }) };
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let rows = 0;
  for await (const part of await client.statements.export(input, { signal })) {
    pieces.push(bytesOf(part.text, format));
    rows = part.rows;
    onPart({ rows, of: part.of });
  }
  signal.throwIfAborted();
  const { extension, mediaType } = FILE_KINDS[format];
  saveFile(`${account.name}-${period.from}-${period.to}.${extension}`, mediaType, pieces);
  return rows;
}
