import { afterEach, describe, expect, it } from 'vitest';
import type { DesktopSettings } from '../../../src-shared/operator-contract/desktop.ts';
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
function withHost(canKeep = true): Desk {
  const desk = openDesk();
  let settings = SETTINGS;
  desk.context.desktop = {
    read: () => ({ settings, startsAtLogin: true, keysKeptBy: 'keychain' }),
    change: (wanted) => {
      if (canKeep) settings = wanted;
      return canKeep;
    },
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
