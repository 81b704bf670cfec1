import { type RefObject, useEffect, useState } from 'react';
import { isPaper, lengthBeside, PAPERS, type Paper } from '../../src-shared/receipts/papers.ts';
import { ofBrowser, remember, remembered } from '../transport/browser-memory.ts';

const KEPT = 'paydesk-receipt-paper';
const MM_PER_PIXEL = 25.4 / 96;

function kept(): Paper {
  const text = remembered(ofBrowser, KEPT);
  return isPaper(text) ? text : 'roll80';
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
      const height = Math.ceil((shown.current?.getBoundingClientRect().height ?? 0) * MM_PER_PIXEL) + lengthBeside(paper);
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
    remember(ofBrowser, KEPT, next);
  };
  return [paper, choose];
}
