/** The relative luminance of a colour `#rrggbb`, from 0 to 1 (WCAG 2.2, “relative luminance”). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** How well one colour is read on another, from 1 to 21 (WCAG 2.2, “contrast ratio”). */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Black or white, whichever is read better on a colour. Its contrast is always above 4.5, which text needs (AA). */
export const textOn = (colour: string): '#000000' | '#ffffff' =>
  contrast(colour, '#ffffff') >= contrast(colour, '#000000') ? '#ffffff' : '#000000';
