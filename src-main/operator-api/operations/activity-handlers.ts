import { exportActivities, listActivities } from '../queries/activity.ts';
import { listDoers } from '../queries/doers.ts';
import { operations } from './guarded-operations.ts';
import { noteAct } from './note-act.ts';

const os = operations.activity;

export const activityHandlers = os.router({
  list: os.list.handler(({ context, input, signal }) => listActivities(context, input, signal)),
  doers: os.doers.handler(({ context }) => listDoers(context)),
  export: os.export.handler(async ({ context, input, signal }) => {
    await noteAct(context, 'activity.exported', factsOf(input));
    return exportActivities(context, input, signal);
  }),
});

/** The members of the filter as text, for the activity log. */
export const factsOf = (filter: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filter).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value instanceof Date ? value.toISOString() : String(value)]],
    ),
  );
