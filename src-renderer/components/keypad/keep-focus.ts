import type { PointerEvent } from 'react';

/**
 * A touched button does not take the focus, so that what is typed goes where it went before, and Enter does not press
 * the button again.
 */
export const keepFocus = (event: PointerEvent): void => event.preventDefault();
