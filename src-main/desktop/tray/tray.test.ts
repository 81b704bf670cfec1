import { describe, expect, it } from 'vitest';
import { trayIcon } from './tray-icon.ts';
import { type TrayState, trayModel } from './tray-model.ts';

const CALM: TrayState = { waiting: 0, ill: false, quittingAfter: undefined };
const labels = (state: Partial<TrayState>) =>
  trayModel({ ...CALM, ...state }).items.map((item) => (item === 'separator' ? '—' : item.label));

describe('the tray', () => {
  it('says that all is well, and opens and quits', () => {
    expect(trayModel(CALM)).toEqual({
      icon: 'calm',
      tooltip: 'paydesk: running',
      items: [
        { label: 'running', action: undefined },
        { label: 'No requests wait', action: undefined },
        'separator',
        { label: 'Open paydesk', action: 'open' },
        { label: 'Quit', action: 'quit' },
      ],
    });
  });

  it('counts what waits, and leads there', () => {
    const one = trayModel({ ...CALM, waiting: 1 });
    expect(one).toMatchObject({ icon: 'attention', tooltip: 'paydesk: 1 request waits for you' });
    expect(one.items[1]).toEqual({ label: '1 request waits for you', action: 'approvals' });
    expect(labels({ waiting: 7 })).toContain('7 requests wait for you');
  });

  it('shows that something is wrong', () => {
    expect(trayModel({ ...CALM, ill: true })).toMatchObject({
      icon: 'attention',
      tooltip: 'paydesk: running, and something needs your attention',
    });
  });

  it('says what quitting waits for, and still lets the operator quit', () => {
    expect(labels({ quittingAfter: 2 })).toEqual(['quits after 2 payments', 'No requests wait', '—', 'Open paydesk', 'Quit now …']);
  });
});

describe('the tray’s picture', () => {
  const alphaAt = (bitmap: Buffer, size: number, x: number, y: number) => bitmap[(y * size + x) * 4 + 3];

  it.each([16, 32])('is a tile with clear corners at %i pixels', (size) => {
    const bitmap = trayIcon(false, size);
    expect(bitmap).toHaveLength(size * size * 4);
    expect(alphaAt(bitmap, size, 0, 0)).toBe(0);
    expect(alphaAt(bitmap, size, size - 1, size - 1)).toBe(0);
    expect(alphaAt(bitmap, size, size / 2, size - 2)).toBe(255);
  });

  it('has colours multiplied by alpha, as the system wants them', () => {
    const bitmap = trayIcon(true, 16);
    for (let offset = 0; offset < bitmap.length; offset += 4) {
      const [blue = 0, green = 0, red = 0, alpha = 0] = bitmap.subarray(offset, offset + 4);
      expect(Math.max(blue, green, red)).toBeLessThanOrEqual(alpha);
    }
  });

  it('differs when somebody is asked for attention', () => {
    expect(trayIcon(true, 16).equals(trayIcon(false, 16))).toBe(false);
  });
});
