import { nodeConfiguration } from '../queries/health/node-configuration.ts';
import { operations } from './guarded-operations.ts';

const os = operations.settings;

export const settingsHandlers = os.router({
  node: os.node.handler(({ context }) => nodeConfiguration(context)),
});
