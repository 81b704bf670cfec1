import { implement } from '@orpc/server';
import { contract } from '../../src-shared/operator-contract/contract.ts';
import type { OperatorContext } from './context.ts';

/** Where the handlers of every operation begin. */
export const operations = implement(contract).$context<OperatorContext>();
