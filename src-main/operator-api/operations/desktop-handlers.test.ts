import { afterEach, describe, expect, it } from 'vitest';
import type { DesktopSettings } from '../../../src-shared/operator-contract/desktop.ts';
import { TestComputer } from '../../printing/testing/test-computer.ts';
import { type Desk, openDesk, TRANSPORTS } from '../testing/desk.ts';

const SETTINGS: DesktopSettings = { closeToTray: true, startAtLogin: false, hideAmounts: 'when_locked', quietHours: null };

let close: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const one of close.reverse()) await one();
  close = [];
});

async function connect(transport: string, desk: Desk) {
  close.push(desk.close);
  const { client, close: disconnect } = await (TRANSPORTS[transport] ?? expect.fail())(desk);
  close.push(disconnect);
  return client.desktop;
}

/** Opens a node with a desktop app that keeps its settings in memory, or that cannot keep them. */
function withHost(canKeep = true, printers = new TestComputer()): Desk {
  const desk = openDesk();
  let settings = SETTINGS;
  desk.context.desktop = {
    read: () => ({ settings, startsAtLogin: true, keysKeptBy: 'keychain' }),
    change: (wanted) => {
      if (canKeep) settings = wanted;
      return canKeep;
    },
    printers,
  };
  return desk;
}

describe.each(Object.keys(TRANSPORTS))('the settings of the desktop app over %s', (transport) => {
  it('are not offered by a headless node', async () => {
    const desktop = await connect(transport, openDesk());
    await expect(desktop.get()).rejects.toMatchObject({ code: 'NOT_DESKTOP' });
    await expect(desktop.change(SETTINGS)).rejects.toMatchObject({ code: 'NOT_DESKTOP' });
  });

  it('are read and changed on the desktop', async () => {
    const desktop = await connect(transport, withHost());
    expect(await desktop.get()).toEqual({ settings: SETTINGS, startsAtLogin: true, keysKeptBy: 'keychain' });
    const wanted: DesktopSettings = { ...SETTINGS, hideAmounts: 'always', quietHours: { from: '22:00', until: '07:30' } };
    expect((await desktop.change(wanted)).settings).toEqual(wanted);
    expect((await desktop.get()).settings).toEqual(wanted);
  });

  it('are refused with a time that no clock shows, and with quiet hours that end when they begin', async () => {
    const desktop = await connect(transport, withHost());
    for (const [from, until] of [
      ['24:00', '07:00'],
      ['7:00', '08:00'],
      ['07:60', '08:00'],
      ['', '08:00'],
      ['07:00', '07:00'],
    ]) {
      const quietHours = { from: from ?? '', until: until ?? '' };
      await expect(desktop.change({ ...SETTINGS, quietHours }), `${from}–${until}`).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    }
    expect((await desktop.get()).settings).toEqual(SETTINGS);
  });

  it('are refused with a reason when they cannot be kept', async () => {
    const desktop = await connect(transport, withHost(false));
    await expect(desktop.change(SETTINGS)).rejects.toMatchObject({ code: 'NOT_KEPT' });
  });
});

const SILENT = { paper: 'a4', language: 'ar', printsSales: false } as const;

describe.each(Object.keys(TRANSPORTS))('the printers of the computer over %s', (transport) => {
  it('are not offered by a headless node', async () => {
    const desktop = await connect(transport, openDesk());
    await expect(desktop.printers()).rejects.toMatchObject({ code: 'NOT_DESKTOP' });
    await expect(desktop.choosePrinter({ ...SILENT, device: 'Office_A4' })).rejects.toMatchObject({ code: 'NOT_DESKTOP' });
  });

  it('are named, and one becomes the receipt printer of the shop in the place of the one before', async () => {
    const printers = new TestComputer();
    const desk = withHost(true, printers);
    const desktop = await connect(transport, desk);
    const { printing } = desk.callsAs({ role: 'manager', isStillIn: async () => true });
    const inNetwork = { name: 'Counter', host: '192.168.1.50', port: 9_100, paper: 'roll58', language: 'de', printsSales: true } as const;
    await printing.set(inNetwork);
    expect(await desktop.printers()).toEqual([
      { device: 'Office_A4', name: 'Office A4', isChosen: false },
      { device: 'Counter_80', name: 'Counter 80', isChosen: true },
    ]);
    await desktop.choosePrinter({ ...SILENT, device: 'Office_A4' });
    expect(printers.chosen).toBe('Office_A4');
    expect((await printing.get()).printer).toEqual({ ...SILENT, name: 'Office A4', host: null, port: null, silence: null });
    expect(await printing.state()).toEqual({ name: 'Office A4', isSilent: false });
    await printing.set(inNetwork);
    expect((await printing.get()).printer).toMatchObject(inNetwork);
  });

  it('are not used when the computer has no such printer, or the choice cannot be kept', async () => {
    const printers = new TestComputer();
    const desk = withHost(true, printers);
    const desktop = await connect(transport, desk);
    const { printing } = desk.callsAs({ role: 'manager', isStillIn: async () => true });
    await expect(desktop.choosePrinter({ ...SILENT, device: 'Gone' })).rejects.toMatchObject({ code: 'NO_SUCH_DEVICE' });
    printers.canKeep = false;
    await expect(desktop.choosePrinter({ ...SILENT, device: 'Office_A4' })).rejects.toMatchObject({ code: 'NOT_KEPT' });
    expect([printers.chosen, (await printing.get()).printer]).toEqual(['Counter_80', null]);
  });
});

it('cashiers and accountants neither see the printers of the computer nor choose one', async () => {
  const desk = withHost();
  close.push(desk.close);
  for (const role of ['cashier', 'accountant'] as const) {
    const { desktop } = desk.callsAs({ role, isStillIn: async () => true });
    await expect(desktop.printers()).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
    await expect(desktop.choosePrinter({ ...SILENT, device: 'Office_A4' })).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
  }
});
