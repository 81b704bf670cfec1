import { area, extended } from '../language/language.ts';

const text = area('settings');

const HOURS_OF_DAY = 24;
const HOURS_OF_WEEK = 168;

export const settings = extended('settings', () => ({
  backups: {
    everyHours: (hours: number) => {
      if (hours % HOURS_OF_WEEK === 0) return text.backups.everyWeeks({ count: hours / HOURS_OF_WEEK });
      if (hours % HOURS_OF_DAY === 0) return text.backups.everyDays({ count: hours / HOURS_OF_DAY });
      return text.backups.everyHours({ count: hours });
    },
  },
}));
