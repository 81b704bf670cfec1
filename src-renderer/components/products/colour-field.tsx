import { IconBan, IconCheck } from '@tabler/icons-react';
import { PRODUCT_COLOURS, type ProductColour } from '../../../src-shared/shop/product-limits.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import classes from './products.module.css';
import { tileColour } from './tile-colour.ts';

const words = messages.products;

/** Chooses the colour of a product's tile, or none. */
export function ColourField({ value, onChange }: { value: ProductColour | null; onChange: (colour: ProductColour | null) => void }) {
  return (
    <fieldset className={classes.fields}>
      <legend className={classes.legend}>{words.colour}</legend>
      <div className={classes.colours}>
        {[null, ...PRODUCT_COLOURS].map((colour) => (
          <label
            key={colour}
            className={classes.colour}
            title={words.colours[colour ?? 'none']}
            style={colour === null ? undefined : { ...tileColour(colour), background: 'var(--tile)' }}
          >
            <input
              type="radio"
              name="colour"
              aria-label={words.colours[colour ?? 'none']}
              checked={value === colour}
              onChange={() => onChange(colour)}
            />
            {colour === null ? <IconBan size={18} aria-hidden /> : value === colour && <IconCheck size={20} color="white" aria-hidden />}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
