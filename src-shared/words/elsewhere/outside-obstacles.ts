import { area } from '../language/language.ts';

/** Why customers elsewhere cannot pay, and what the operator can do. */
export const outsideObstacles = area('outsideObstacles');
