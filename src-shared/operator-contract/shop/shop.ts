import { everyone, managers } from '../../people/roles.ts';
import { LogoData, LogoDotsData, ShopProfile } from '../../shop/shop-profile.ts';
import { z } from '../../zod.ts';
import { operatorErrors } from '../error-messages.ts';
import { does, reads } from '../operation.ts';

export type { ShopProfile, TaxRate } from '../../shop/shop-profile.ts';

const Done = z.object({ set: z.literal(true) });

/** What the shop says of itself, and by which rules it counts. */
export const shop = {
  get: reads(everyone, 'What the shop says of itself, its tax rates, and its logo.')
    .route({ method: 'GET', path: '/shop' })
    .output(
      z.object({
        profile: ShopProfile,
        /** The logo as a data URL (RFC 2397); null without one. */
        logo: z.string().nullable(),
        /** The SHA-256 of the logo, base64url, as receipts have it; null without one. */
        logoHash: z.string().nullable(),
        /** The logo as a receipt printer in the network prints it; null when it prints none. */
        logoDots: LogoDotsData.nullable(),
      }),
    ),
  /** Replaces the whole profile. */
  set: does(managers, 'settings', 'settings.changed', 'Replaces the profile of the shop.')
    .route({ method: 'POST', path: '/shop' })
    .input(ShopProfile)
    .output(Done),
  setLogo: does(managers, 'settings', 'settings.changed', 'Sets the logo of the shop.')
    .route({ method: 'POST', path: '/shop/logo' })
    .input(
      z.object({
        /** A PNG, JPEG or WebP picture of at most 100 kB, as base64. */
        data: LogoData,
        /** The same picture for receipt printers in the network. Left out, they print no logo. */
        dots: LogoDotsData.optional(),
      }),
    )
    .errors({ NO_PICTURE: { status: 400, message: operatorErrors.noPicture } })
    .output(Done),
  removeLogo: does(managers, 'settings', 'settings.changed', 'Removes the logo of the shop.')
    .route({ method: 'POST', path: '/shop/logo/remove' })
    .output(Done),
};
