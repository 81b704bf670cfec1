import { notePastRates } from '../../../exchange/past-rates.ts';
import { appendEvent } from '../../../journal/events.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { followTaxRates } from '../../../shop/products/products.ts';
import { changeShop, logoFrom, readLogo, readShop, setLogo } from '../../../shop/shop.ts';
import type { OperatorContext } from '../../context.ts';
import { operations } from '../guarded-operations.ts';

const os = operations.shop;

export const shopHandlers = os.router({
  get: os.get.handler(({ context: { database } }) =>
    database.readAtOnce(async (read) => {
      const [{ profile }, logo] = [await readShop(read), await readLogo(read)];
      if (logo === undefined) return { profile, logo: null, logoHash: null, logoDots: null };
      const data = `data:${logo.type};base64,${logo.bytes.toString('base64')}`;
      return { profile, logo: data, logoHash: logo.hash, logoDots: logo.dots };
    }),
  ),
  set: os.set.handler(({ context, input: profile }) =>
    changed(context, { name: profile.name }, async (tx) => {
      const former = (await readShop(tx)).profile;
      await changeShop(tx, { profile });
      await followTaxRates(tx, former.taxRates, profile.taxRates);
      if (profile.homeCurrency !== former.homeCurrency) await notePastRates(tx, context.clock.now());
    }),
  ),
  setLogo: os.setLogo.handler(async ({ context, input, errors }) => {
    const logo = logoFrom(Buffer.from(input.data, 'base64'), input.dots);
    if (logo === undefined) throw errors.NO_PICTURE();
    return await changed(context, { logo: logo.hash }, (tx) => setLogo(tx, logo));
  }),
  removeLogo: os.removeLogo.handler(({ context }) => changed(context, {}, (tx) => setLogo(tx, undefined))),
});

async function changed(
  { clock, database }: OperatorContext,
  body: Readonly<Record<string, string>>,
  change: (tx: Tx) => Promise<void>,
): Promise<{ set: true }> {
  const at = clock.now();
  await database.write(async (tx) => {
    await change(tx);
    await appendEvent(tx, { type: 'settings.changed', subject: 'shop', body, at });
  });
  return { set: true };
}
