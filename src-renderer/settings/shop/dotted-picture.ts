import { dotsOf, type LogoDots } from '../../../src-shared/shop/logo-dots.ts';
import { MOST_LOGO_DOTS } from '../../../src-shared/shop/shop-limits.ts';

/** The pixels of a picture as a canvas has them: red, green, blue and opacity, from 0 to 255 each. */
type Pixels = Pick<ImageData, 'width' | 'data'>;

/**
 * How much of the error of a dot goes to its neighbours: to the right, and to three of the line below (Floyd and
 * Steinberg, 1976). So a colour between black and white becomes more or fewer black dots.
 */
const SHARES = [
  [1, 0, 7 / 16],
  [-1, 1, 3 / 16],
  [0, 1, 5 / 16],
  [1, 1, 1 / 16],
] as const;
const WHITE = 255;

/** Turns pixels on white paper into black dots. Their width is a multiple of eight. */
export function dottedPixels({ width, data }: Pixels): LogoDots {
  const at = (byte: number): number => data[byte] ?? 0;
  const greys = Array.from({ length: data.length / 4 }, (_, dot) => {
    const [red, green, blue, opacity] = [at(4 * dot), at(4 * dot + 1), at(4 * dot + 2), at(4 * dot + 3) / WHITE];
    // How bright an eye takes each colour to be (ITU-R BT.601).
    return WHITE + opacity * (0.299 * red + 0.587 * green + 0.114 * blue - WHITE);
  });
  const isBlack = greys.map(() => false);
  for (let dot = 0; dot < greys.length; dot++) {
    const grey = greys[dot] ?? WHITE;
    isBlack[dot] = grey < WHITE / 2;
    const error = grey - (isBlack[dot] ? 0 : WHITE);
    for (const [right, down, share] of SHARES) {
      const x = (dot % width) + right;
      const other = dot + right + down * width;
      if (x >= 0 && x < width && other < greys.length) greys[other] = (greys[other] ?? WHITE) + error * share;
    }
  }
  return dotsOf(width, isBlack);
}

/** The size in dots at which a picture is printed: as large as it may be, without changing its shape. */
export function dottedSize(picture: { width: number; height: number }): { width: number; height: number } {
  const scale = Math.min(MOST_LOGO_DOTS.width / picture.width, MOST_LOGO_DOTS.height / picture.height);
  return { width: Math.max(1, Math.round(picture.width * scale)), height: Math.max(1, Math.round(picture.height * scale)) };
}

/**
 * A picture as a receipt printer prints it.
 * @returns undefined when this browser cannot show the picture
 */
export async function dottedPicture(file: Blob): Promise<LogoDots | undefined> {
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (picture === undefined) return undefined;
  const { width, height } = dottedSize(picture);
  const paper = 8 * Math.ceil(width / 8);
  const canvas = Object.assign(document.createElement('canvas'), { width: paper, height });
  const context = canvas.getContext('2d');
  if (context === null) return undefined;
  context.drawImage(picture, Math.floor((paper - width) / 2), 0, width, height);
  picture.close();
  return dottedPixels(context.getImageData(0, 0, paper, height));
}
