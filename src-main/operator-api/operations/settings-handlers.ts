import { appendEvent } from '../../journal/events.ts';
import { systemTimeZone } from '../../platform/clock.ts';
import { nodeConfiguration } from '../queries/health/node-configuration.ts';
import { chosenTimeZone, setTimeZone } from '../shop-settings.ts';
import { operations } from './guarded-operations.ts';

const os = operations.settings;

export const settingsHandlers = os.router({
  node: os.node.handler(({ context }) => nodeConfiguration(context)),
  timeZone: os.timeZone.handler(async ({ context }) => ({
    chosen: await chosenTimeZone(context.database.read),
    computer: systemTimeZone(),
  })),
  setTimeZone: os.setTimeZone.handler(async ({ context, input: { timeZone } }) => {
    const at = context.clock.now();
    await context.database.write(async (tx) => {
      await setTimeZone(tx, timeZone);
      await appendEvent(tx, { type: 'settings.changed', subject: 'time_zone', body: { timeZone: timeZone ?? systemTimeZone() }, at });
    });
    return { set: true as const };
  }),
});
