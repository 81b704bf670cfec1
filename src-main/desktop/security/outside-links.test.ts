import { expect, it, vi } from 'vitest';
import { OutsideLinks, outsideQuestion } from './outside-links.ts';

const OPEN = 1;
const STAY = 0;

function links() {
  const asked = vi.fn<(window: string, question: { message: string }) => Promise<{ response: number }>>();
  const open = vi.fn<(url: string) => Promise<void>>().mockResolvedValue(undefined);
  return { asked, open, links: new OutsideLinks({ window: () => 'window', ask: asked, open }) };
}

it('a page outside opens only after a question that names its host', async () => {
  const { asked, open, links: outside } = links();
  asked.mockResolvedValueOnce({ response: OPEN });
  await outside.follow('https://shop.example:8443/offer?to=paydesk.example');
  expect(asked.mock.calls[0]?.[1].message).toContain('shop.example:8443');
  expect(asked.mock.calls[0]?.[1].message).not.toContain('offer');
  expect(open).toHaveBeenCalledWith('https://shop.example:8443/offer?to=paydesk.example');
  asked.mockResolvedValueOnce({ response: STAY });
  await outside.follow('https://shop.example/');
  expect(open).toHaveBeenCalledTimes(1);
});

it('the question shows letters that only look alike', () => {
  // The first letter of this name is Cyrillic.
  expect(outsideQuestion('https://\u0440aypal.example/').message).toContain('xn--aypal-uye.example');
  expect(outsideQuestion('https://shop.example/')).toMatchObject({ defaultId: STAY, cancelId: STAY });
});

it('a mail opens only after a question that promises nothing was sent', async () => {
  const { asked, open, links: outside } = links();
  asked.mockResolvedValueOnce({ response: STAY }).mockResolvedValueOnce({ response: OPEN });
  await outside.follow('mailto:?body=x');
  expect(asked.mock.calls[0]?.[1].message).toBe('Open your mail program?');
  expect(open).not.toHaveBeenCalled();
  await outside.follow('mailto:?body=x');
  expect(open.mock.calls).toEqual([['mailto:?body=x']]);
});

it('a page that asks a thousand times shows one question, and a later click asks anew', async () => {
  const { asked, open, links: outside } = links();
  const answer = Promise.withResolvers<{ response: number }>();
  asked.mockReturnValueOnce(answer.promise).mockResolvedValue({ response: STAY });
  const first = outside.follow('https://first.example/');
  for (let again = 0; again < 1_000; again += 1) await outside.follow('https://other.example/');
  expect(asked).toHaveBeenCalledTimes(1);
  answer.resolve({ response: OPEN });
  await first;
  expect(open.mock.calls).toEqual([['https://first.example/']]);
  await outside.follow('https://other.example/');
  expect(asked).toHaveBeenCalledTimes(2);
});

it('a window that is gone asks nothing, and a question that fails does not block the next', async () => {
  const open = vi.fn<(url: string) => Promise<void>>();
  const ask = vi
    .fn<() => Promise<{ response: number }>>()
    .mockRejectedValueOnce(new Error('no display'))
    .mockResolvedValue({ response: OPEN });
  let window: string | undefined;
  const outside = new OutsideLinks({ window: () => window, ask, open });
  await outside.follow('https://shop.example/');
  expect(ask).not.toHaveBeenCalled();
  window = 'window';
  await expect(outside.follow('https://shop.example/')).rejects.toThrow('no display');
  await outside.follow('https://shop.example/');
  expect(open).toHaveBeenCalledTimes(1);
});
