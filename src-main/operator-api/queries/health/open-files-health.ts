import type { HealthCheck } from '../../../../src-shared/operator-contract/health-checks.ts';
import { FILES_NEEDED } from '../../../platform/open-files.ts';
import type { OperatorContext } from '../../context.ts';

/** Reports a low limit of open files. It reports nothing while the node may open as many as it needs. */
export function openFilesHealth({ openFiles }: Pick<OperatorContext, 'openFiles'>): HealthCheck[] {
  if (openFiles === undefined || openFiles >= FILES_NEEDED) return [];
  return [{ name: 'open_files', state: 'warning', limit: openFiles, needed: FILES_NEEDED }];
}
