import { loadWords, withWords } from '../../components/language/load-words.ts';

// Modules read the words when they are loaded, so the words of the reader's language come first.
await loadWords();
await withWords(['accounts', 'problems', 'products', 'shop', 'till'], () => import('./paired-start.tsx'))();
