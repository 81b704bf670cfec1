import { z } from '../../../src-shared/zod.ts';

/**
 * A rectangle in the coordinates of the screens (device-independent pixels). Left of and above the first screen they
 * are negative.
 */
const Rectangle = z.object({ x: z.number().int(), y: z.number().int(), width: z.number().int().min(1), height: z.number().int().min(1) });
export type Rectangle = z.infer<typeof Rectangle>;

/** The last place of the window. `bounds` are the window's bounds when it is not maximised. */
export const WindowState = z.object({ bounds: Rectangle, maximized: z.boolean() });
export type WindowState = z.infer<typeof WindowState>;

interface Placement {
  /** It is undefined when the system is to centre the window. */
  position: { x: number; y: number } | undefined;
  width: number;
  height: number;
  maximized: boolean;
}

const DEFAULT_SIZE = { width: 1180, height: 800 } as const;
const MINIMUM_SIZE = { width: 480, height: 480 } as const;

/**
 * Decides where the window opens: at its last place, wholly on the screen that shows most of it. It is centred when no
 * screen shows it any more, because one was taken away.
 * @param workAreas the work areas of the existing screens, the main screen first
 */
export function placeWindow(stored: WindowState | undefined, workAreas: readonly Rectangle[]): Placement {
  const bounds = stored?.bounds ?? { x: 0, y: 0, ...DEFAULT_SIZE };
  const maximized = stored?.maximized ?? false;
  const shares = workAreas.map((area) => ({ area, share: sharedPixels(area, bounds) }));
  const best = shares.reduce((one, other) => (other.share > one.share ? other : one), { area: workAreas[0], share: 0 });
  const { area } = best;
  if (area === undefined) return { position: undefined, ...DEFAULT_SIZE, maximized };
  const width = between(bounds.width, MINIMUM_SIZE.width, area.width);
  const height = between(bounds.height, MINIMUM_SIZE.height, area.height);
  if (stored === undefined || best.share === 0) return { position: undefined, width, height, maximized };
  const position = {
    x: between(bounds.x, area.x, area.x + area.width - width),
    y: between(bounds.y, area.y, area.y + area.height - height),
  };
  return { position, width, height, maximized };
}

/**
 * The screen that the customer looks at: the first that does not show most of the console's window. It is undefined
 * when there is only one.
 * @param screens the existing screens, the main screen first
 */
export function otherScreen(own: Rectangle, screens: readonly Rectangle[]): Rectangle | undefined {
  const most = Math.max(...screens.map((one) => sharedPixels(one, own)));
  const shown = screens.find((one) => sharedPixels(one, own) === most);
  return screens.find((one) => one !== shown);
}

function sharedPixels(a: Rectangle, b: Rectangle): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}

/** `value` within its limits. `least` wins when `most` is smaller. */
const between = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, most));
