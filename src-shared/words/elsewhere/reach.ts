import { extended } from '../language/language.ts';
import { outsideObstacles } from './outside-obstacles.ts';
import { reachText } from './reach-text.ts';

export const reach = extended('reach', () => ({
  problems: reachText,
  outside: {
    missing: outsideObstacles,
  },
}));
