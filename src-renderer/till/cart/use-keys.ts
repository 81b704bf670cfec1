import { useEffect, useEffectEvent, useRef } from 'react';
import { readTypedNumber } from '../../../src-shared/typed-input/typed-amount.ts';
import { type Key, keyOf } from '../keypad.ts';
import { type Scan, scanInField, scanOf, type TypedKey } from './scan.ts';
import { FIELDS, noted } from './typed-keys.ts';

interface Uses {
  /** Whether keys mean something now. */
  isActive: boolean;
  /** The amount that is typed, as the keypad has it. */
  typed: string;
  press: (key: Key) => void;
  /** Puts the typed amount into the cart. */
  add: () => void;
  charge: () => void;
  scanned: (scan: Scan) => void;
}

const digitOf = (text: string): string | undefined => {
  const read = readTypedNumber(text);
  return read.kind === 'value' ? read.value : undefined;
};

/** What Enter presses by itself. */
const PRESSED = ['button', 'a', 'select'].join();

/**
 * The place where a key was typed. It is undefined for keys that mean something else: with modifiers, or in a dialog.
 */
function placeOf({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): Element | undefined {
  if (ctrlKey || metaKey || altKey || !(target instanceof Element)) return undefined;
  return target.closest('[role="dialog"]') === null ? target : undefined;
}

/**
 * Types with a keyboard or a scanner, wherever the focus is except in a field or a dialog. Plus puts the amount into
 * the cart. Enter charges, unless a scanner has typed, or a button has the focus.
 */
export function useKeys(uses: Uses): void {
  const keys = useRef<readonly TypedKey[]>([]);
  const enter = (event: KeyboardEvent, place: Element) => {
    const isField = place.matches(FIELDS);
    const scan = event.repeat ? undefined : isField ? scanInField(keys.current) : scanOf(keys.current);
    keys.current = [];
    if (scan !== undefined) {
      // The button that has the focus is not pressed. In a field the text stays, and charges nothing.
      event.preventDefault();
      if (!isField) uses.scanned(scan);
    } else if (!event.repeat && !place.matches(PRESSED)) uses.charge();
  };
  const type = (event: KeyboardEvent) => {
    if (event.key === '+') keys.current = [];
    const typed = keyOf(event.key, digitOf);
    if (typed === undefined && event.key !== '+' && (event.key !== ' ' || keys.current.length === 0)) return;
    event.preventDefault();
    if (event.key === '+') uses.add();
    else if (typed !== undefined) uses.press(typed);
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const place = uses.isActive ? placeOf(event) : undefined;
    if (place === undefined) return;
    if (event.key === 'Enter') return enter(event, place);
    keys.current = noted(keys.current, event, uses.typed);
    if (!place.matches(FIELDS)) type(event);
  });
  const onPointer = useEffectEvent(() => {
    keys.current = [];
  });
  useEffect(() => {
    const [forKey, forPointer] = [(event: KeyboardEvent) => onKey(event), () => onPointer()];
    window.addEventListener('keydown', forKey);
    window.addEventListener('pointerdown', forPointer);
    return () => {
      window.removeEventListener('keydown', forKey);
      window.removeEventListener('pointerdown', forPointer);
    };
  }, []);
}
