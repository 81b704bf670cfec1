import type { ReactNode } from 'react';
import type { OperationName } from '../../../src-shared/operator-contract/contract.ts';
import { useMayCall } from '../../transport/you.ts';

/** Shows what leads to an operation, to whom the node lets call it. Whoever may not is not offered it. */
export const Allowed = ({ to, children }: { to: OperationName; children: ReactNode }) => (useMayCall(to) ? children : null);
