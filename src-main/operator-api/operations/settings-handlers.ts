import { appendEvent } from '../../journal/events.ts';
import { systemTimeZone } from '../../platform/clock.ts';
import { changeShop, chosenTimeZone, readShop } from '../../shop/shop.ts';
import { nodeConfiguration } from '../queries/health/node-configuration.ts';
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
      await changeShop(tx, { timeZone });
      await appendEvent(tx, { type: 'settings.changed', subject: 'time_zone', body: { timeZone: timeZone ?? systemTimeZone() }, at });
    });
    return { set: true as const };
  }),
  till: os.till.handler(async ({ context }) => {
    const { tillMinutes, tipPercents } = await readShop(context.database.read);
    return { lapseMinutes: tillMinutes, tipPercents: tipPercents === null ? null : [...tipPercents] };
  }),
  setTill: os.setTill.handler(async ({ context, input: { lapseMinutes } }) => {
    const at = context.clock.now();
    await context.database.write(async (tx) => {
      await changeShop(tx, { tillMinutes: lapseMinutes });
      await appendEvent(tx, { type: 'settings.changed', subject: 'till', body: { minutes: String(lapseMinutes) }, at });
    });
    return { set: true as const };
  }),
  setTips: os.setTips.handler(async ({ context, input: { percents } }) => {
    const at = context.clock.now();
    await context.database.write(async (tx) => {
      await changeShop(tx, { tipPercents: percents });
      await appendEvent(tx, { type: 'settings.changed', subject: 'tips', body: { isOn: String(percents !== null) }, at });
    });
    return { set: true as const };
  }),
});
