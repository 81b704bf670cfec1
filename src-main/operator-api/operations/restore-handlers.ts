import { join } from 'node:path';
import { PART_BYTES } from '../../../src-shared/operator-contract/restore.ts';
import { hashSecret } from '../../access/secrets.ts';
import type { Replacement } from '../../backup/replacement.ts';
import { newSecret } from '../../platform/ids.ts';
import type { OperatorContext } from '../context.ts';
import { ofOwnBooks } from '../of-own-books.ts';
import { operations } from './guarded-operations.ts';
import { wrongPassphrase } from './lock-handlers.ts';
import { noteAct } from './note-act.ts';

const os = operations.restore;

const keptAside = ({ configuration }: OperatorContext, replacement: Replacement): string =>
  join(configuration.dataFolder, replacement.keptAside);

export const restoreHandlers = os.router({
  last: os.last.handler(({ context }) => {
    const last = ofOwnBooks(context.restores).last();
    if (last === undefined) return { last: null };
    return {
      last: { id: last.id, madeAt: new Date(last.madeAt), at: new Date(last.at), keptAside: keptAside(context, last) },
    };
  }),
  begin: os.begin.handler(({ context, input, errors }) => {
    const begun = ofOwnBooks(context.restores).begin(input.bytes);
    if (begun.ok) return { id: begun.value.id, partBytes: PART_BYTES };
    switch (begun.error) {
      case 'busy':
        throw errors.RESTORE_BUSY();
      case 'no_room':
        throw errors.NO_ROOM();
    }
  }),
  part: os.part.handler(async ({ context, input: { id, offset, data }, errors }) => {
    const taken = await ofOwnBooks(context.restores).part({ id, offset, data: Buffer.from(data, 'base64') });
    if (taken.ok) return { received: taken.value };
    switch (taken.error) {
      case 'gone':
        throw errors.GONE();
      case 'out_of_order':
        throw errors.OUT_OF_ORDER();
      case 'no_room':
        throw errors.NO_ROOM();
    }
  }),
  look: os.look.handler(async ({ context, input, errors, signal }) => {
    const returnSecret = newSecret();
    const found = await ofOwnBooks(context.restores).look({ ...input, secretHash: hashSecret(returnSecret) }, signal);
    if (found.ok) {
      const { madeAt, publicUrl, accounts, ...content } = found.value;
      return { ...content, madeAt: new Date(madeAt), publicUrl: publicUrl ?? null, accounts: [...accounts], returnSecret };
    }
    switch (found.error) {
      case 'gone':
        throw errors.GONE();
      case 'unfinished':
        throw errors.UNFINISHED();
      case 'busy':
        throw errors.RESTORE_BUSY();
      case 'no_backup':
        throw errors.NO_BACKUP();
      case 'locked':
        throw errors.NOT_OPENED();
      case 'damaged':
      case 'other_books':
        throw errors.DAMAGED();
      case 'foreign_parts':
        throw errors.FOREIGN_PARTS();
      case 'unfit':
        throw errors.UNFIT();
      case 'not_written':
        throw errors.NO_ROOM();
      case 'newer_format':
      case 'newer_database':
        throw errors.NEWER_BACKUP();
    }
  }),
  start: os.start.handler(async ({ context, input, errors }) => {
    const confirmed = await context.lock.confirm(input.lockPassphrase);
    if (!confirmed.ok) {
      if (confirmed.error.kind === 'passphrase_needed') throw errors.PASSPHRASE_NEEDED();
      throw wrongPassphrase(confirmed.error, errors);
    }
    const ready = ofOwnBooks(context.restores).prepare(input.id);
    if (!ready.ok) {
      switch (ready.error) {
        case 'gone':
          throw errors.GONE();
        case 'not_opened':
          throw errors.UNFINISHED();
        case 'no_room':
          throw errors.NO_ROOM();
      }
    }
    try {
      // The event is in the books that are kept aside, and says how they ended.
      await noteAct(context, 'node.replaced', { madeAt: ready.value.madeAt });
    } catch (error) {
      ofOwnBooks(context.restores).release(input.id);
      throw error;
    }
    ofOwnBooks(context.restores).decide(ready.value);
    return { keptAside: keptAside(context, ready.value) };
  }),
  discard: os.discard.handler(async ({ context, errors }) => {
    if (!(await ofOwnBooks(context.restores).discard())) throw errors.RESTORE_BUSY();
    return { discarded: true as const };
  }),
});
