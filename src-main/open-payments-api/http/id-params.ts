import { z } from 'zod';
import { isId } from '../../platform/ids.ts';

/** Ids that are not well formed are as absent as those that name nothing. */
export const IdParams = z.object({ id: z.string().transform((id) => (isId(id) ? id : '')) });
