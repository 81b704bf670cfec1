import { operations } from './guarded-operations.ts';

const os = operations.sessions;

export const sessionsHandlers = os.router({
  list: os.list.handler(async ({ context }) => {
    const sessions = await context.sessions.list();
    return {
      sessions: sessions.map(({ id, userAgent, createdAt, lastUsedAt }) => ({
        ...{ id, userAgent, signedInAt: new Date(createdAt), lastUsedAt: new Date(lastUsedAt) },
        isThisOne: id === context.session,
      })),
    };
  }),
  end: os.end.handler(async ({ context, input }) => ({ ended: await context.sessions.end([input.id]) })),
  endOthers: os.endOthers.handler(async ({ context }) => {
    const others = (await context.sessions.list()).filter(({ id }) => id !== context.session);
    return { ended: await context.sessions.end(others.map(({ id }) => id)) };
  }),
});
