import { z } from '../../../src-shared/zod.ts';
import { isId } from '../../platform/ids.ts';

/** An id that is not well formed becomes an id that names nothing, so both get the same answer. */
export const IdParams = z.object({ id: z.string().transform((id) => (isId(id) ? id : '')) });
