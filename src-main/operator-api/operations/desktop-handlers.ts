import { OF_COMPUTER } from '../../printing/printer.ts';
import { operations } from './guarded-operations.ts';
import { noteAct } from './note-act.ts';

const os = operations.desktop;

export const desktopHandlers = os.router({
  get: os.get.handler(({ context, errors }) => {
    if (context.desktop === undefined) throw errors.NOT_DESKTOP();
    return context.desktop.read();
  }),
  change: os.change.handler(async ({ context, input, errors }) => {
    if (context.desktop === undefined) throw errors.NOT_DESKTOP();
    if (!context.desktop.change(input)) throw errors.NOT_KEPT();
    const { quietHours, hideAmounts, closeToTray, startAtLogin } = input;
    const body = {
      closeToTray: String(closeToTray),
      startAtLogin: String(startAtLogin),
      hideAmounts,
      quietHours: quietHours === null ? '' : `${quietHours.from} to ${quietHours.until}`,
    };
    await noteAct(context, 'settings.changed', body, 'desktop');
    return context.desktop.read();
  }),
  printers: os.printers.handler(async ({ context, errors }) => {
    if (context.desktop === undefined) throw errors.NOT_DESKTOP();
    return await context.desktop.printers.list();
  }),
  choosePrinter: os.choosePrinter.handler(async ({ context: { desktop, printing }, input: { device, ...settings }, errors }) => {
    if (desktop === undefined) throw errors.NOT_DESKTOP();
    const chosen = (await desktop.printers.list()).find((one) => one.device === device);
    if (chosen === undefined) throw errors.NO_SUCH_DEVICE();
    if (!desktop.printers.choose(device)) throw errors.NOT_KEPT();
    await printing.set({ ...settings, ...OF_COMPUTER, name: chosen.name });
    return { set: true as const };
  }),
});
