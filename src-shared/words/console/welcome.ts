import type { NodeInfo } from '../../operator-contract/node.ts';
import { extended } from '../language/language.ts';
import { shellWord } from '../words.ts';

export const welcome = extended('welcome', () => ({
  onlyHereCommand: (host: NodeInfo['host'], folder: string) =>
    `${host === 'desktop' ? 'npm start' : 'npm run headless'} -- --data-dir ${shellWord(folder)} --public-url https://pay.your-shop.example`,
}));
