import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { otherScreen, placeWindow, type Rectangle } from './window-state.ts';

const MAIN: Rectangle = { x: 0, y: 25, width: 1920, height: 1055 };
const LEFT: Rectangle = { x: -1280, y: 0, width: 1280, height: 1024 };

describe('placeWindow', () => {
  it('opens in the middle of the main screen the first time', () => {
    expect(placeWindow(undefined, [MAIN])).toEqual({ position: undefined, width: 1180, height: 800, maximized: false });
  });

  it('opens where it was, on the screen it was on', () => {
    const bounds = { x: -1200, y: 100, width: 900, height: 700 };
    expect(placeWindow({ bounds, maximized: true }, [MAIN, LEFT])).toEqual({
      position: { x: -1200, y: 100 },
      width: 900,
      height: 700,
      maximized: true,
    });
  });

  it('is brought wholly onto the screen that shows most of it', () => {
    const bounds = { x: 1700, y: -40, width: 900, height: 700 };
    expect(placeWindow({ bounds, maximized: false }, [MAIN, LEFT]).position).toEqual({ x: 1020, y: 25 });
  });

  it('is centred again when its screen was taken away', () => {
    const bounds = { x: -1200, y: 100, width: 900, height: 700 };
    expect(placeWindow({ bounds, maximized: false }, [MAIN])).toMatchObject({ position: undefined, width: 900 });
  });

  it('gets no larger than its screen, and opens although the system names none', () => {
    const bounds = { x: 0, y: 0, width: 5000, height: 5000 };
    expect(placeWindow({ bounds, maximized: false }, [LEFT])).toMatchObject({ width: 1280, height: 1024 });
    expect(placeWindow({ bounds, maximized: false }, [])).toMatchObject({ position: undefined, width: 1180, height: 800 });
  });

  it('always lies on one screen as a whole', () => {
    const around = fc.integer({ min: -10_000, max: 10_000 });
    const size = fc.integer({ min: 1, max: 10_000 });
    const bounds = fc.record({ x: around, y: around, width: size, height: size });
    const area = fc.record({
      x: around,
      y: around,
      width: fc.integer({ min: 480, max: 5000 }),
      height: fc.integer({ min: 480, max: 5000 }),
    });
    fc.assert(
      fc.property(bounds, fc.array(area, { minLength: 1, maxLength: 3 }), (stored, areas) => {
        const { position, width, height } = placeWindow({ bounds: stored, maximized: false }, areas);
        const fits = areas.some((one) =>
          position === undefined
            ? width <= one.width && height <= one.height
            : position.x >= one.x &&
              position.y >= one.y &&
              position.x + width <= one.x + one.width &&
              position.y + height <= one.y + one.height,
        );
        expect(fits).toBe(true);
      }),
    );
  });
});

describe('otherScreen', () => {
  const onLeft = { x: -1200, y: 100, width: 900, height: 700 };
  const onMain = { x: 300, y: 100, width: 900, height: 700 };

  it('is the one that the console is not on', () => {
    expect(otherScreen(onMain, [MAIN, LEFT])).toEqual(LEFT);
    expect(otherScreen(onLeft, [MAIN, LEFT])).toEqual(MAIN);
    expect(otherScreen({ ...onMain, x: -100 }, [MAIN, LEFT])).toEqual(LEFT);
  });

  it('is none where there is one screen, and the next where both show the same', () => {
    expect(otherScreen(onMain, [MAIN])).toBeUndefined();
    expect(otherScreen(onMain, [])).toBeUndefined();
    expect(otherScreen(onMain, [MAIN, { ...MAIN }])).toEqual(MAIN);
  });
});
