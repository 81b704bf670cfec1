import { loadWords, withWords } from '../../components/language/load-words.ts';

// This page has none of the console's parts: no session, and no way to the node. All it shows comes from the till.
// Modules read the words when they are loaded, so the words of the reader's language come first.
await loadWords();
const { startCustomerScreen } = await withWords(['accounts', 'till'], () => import('./customer-screen.tsx'))();
startCustomerScreen();
