import type { PointerEvent } from 'react';

/** A touched button does not take the focus, so that Enter on a keyboard charges and does not press it again. */
export const keepFocus = (event: PointerEvent): void => event.preventDefault();
