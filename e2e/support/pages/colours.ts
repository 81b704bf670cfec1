import type { Locator } from '@playwright/test';

type Hue = 'red' | 'green' | 'other';

/**
 * What a person would call the colour of an element: that of its background where it has one, otherwise that of its
 * text or its lines.
 * @param pseudo a part of the element that its style sheet draws
 */
export async function hueOf(element: Locator, pseudo?: '::before'): Promise<Hue> {
  return await element.evaluate((node, part) => {
    const { backgroundColor, color } = getComputedStyle(node, part);
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    if (canvas === null) throw new Error('the browser cannot draw');
    // The canvas turns every way to write a colour into the same three numbers.
    canvas.fillStyle = /^(transparent|rgba\(.*, 0\))$/.test(backgroundColor) ? color : backgroundColor;
    canvas.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
    if (red > green + 20 && red > blue + 20) return 'red';
    return green > red + 20 ? 'green' : 'other';
  }, pseudo);
}
