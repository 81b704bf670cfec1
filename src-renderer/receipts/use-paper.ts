import { type RefObject, useEffect, useState } from 'react';
import { isPaper, PAPERS, type Paper } from '../../src-shared/words/sales/receipt-text.ts';

const KEPT = 'paydesk-receipt-paper';
/** Room below a receipt, so that rounding makes no second page, in millimetres. */
const SPARE_MM = 4;
const MM_PER_PIXEL = 25.4 / 96;

function kept(): Paper {
  try {
    const text = localStorage.getItem(KEPT);
    return isPaper(text) ? text : 'roll80';
  } catch {
    return 'roll80';
  }
}

/**
 * The paper on which this browser prints receipts. While the screen is open, the printer is told the size: a roll is as
 * long as the receipt.
 */
export function usePaper(shown: RefObject<HTMLElement | null>): [Paper, (paper: Paper) => void] {
  const [paper, setPaper] = useState(kept);
  useEffect(() => {
    const sheet = new CSSStyleSheet();
    const tellSize = () => {
      const { width, margin } = PAPERS[paper];
      const height = Math.ceil((shown.current?.getBoundingClientRect().height ?? 0) * MM_PER_PIXEL) + 2 * margin + SPARE_MM;
      sheet.replaceSync(`@page { size: ${paper === 'a4' ? 'A4' : `${width}mm ${height}mm`}; margin: ${margin}mm; }`);
    };
    tellSize();
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    window.addEventListener('beforeprint', tellSize);
    return () => {
      window.removeEventListener('beforeprint', tellSize);
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    };
  }, [paper, shown]);
  const choose = (next: Paper) => {
    setPaper(next);
    try {
      localStorage.setItem(KEPT, next);
    } catch {
      // A browser that keeps nothing asks again.
    }
  };
  return [paper, choose];
}
