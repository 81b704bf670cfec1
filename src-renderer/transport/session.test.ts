import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { comeBack, comeBackWith, session, sessionLost } from './session.ts';

const answers = vi.fn<() => Promise<Response>>();
beforeEach(() => vi.stubGlobal('fetch', answers));
afterEach(() => {
  answers.mockReset();
  vi.unstubAllGlobals();
});

const answered = (status: number) => answers.mockResolvedValueOnce(new Response(null, { status }));

it('the console keeps the way back until a node has answered, and goes it once', async () => {
  comeBackWith('secret');
  sessionLost();
  expect(session.get()).toBe('returning');
  answers.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  await expect(comeBack()).rejects.toThrow('Failed to fetch');
  sessionLost();
  expect(session.get()).toBe('returning');
  answered(204);
  expect(await comeBack()).toBe('open');
  expect(comeBack()).toBeUndefined();
  sessionLost();
  expect(session.get()).toBe('none');
  expect(answers).toHaveBeenCalledTimes(2);
});

it('the console does not try a way back again that was refused, and leaves alone one that was told meanwhile', async () => {
  comeBackWith('old');
  answered(401);
  const refused = comeBack();
  comeBackWith('new');
  expect(await refused).toBe('linkRefused');
  answered(401);
  expect(await comeBack()).toBe('linkRefused');
  expect(comeBack()).toBeUndefined();
});
