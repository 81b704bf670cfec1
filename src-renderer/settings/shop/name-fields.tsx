import { Button, Checkbox, Stack, Textarea, TextInput } from '@mantine/core';
import { SHOP_LIMITS } from '../../../src-shared/shop/shop-limits.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { BRAND } from '../../theme.ts';
import classes from './shop.module.css';
import { isAddressTooLong, type ShopDraft } from './shop-draft.ts';

const words = messages.shop;

/** What a part of the form works with. */
export interface ShopPart {
  draft: ShopDraft;
  onChange: (change: Partial<ShopDraft>) => void;
  /** Whether faults are shown. */
  tried: boolean;
}

/** Who the shop is. */
export function NameFields({ draft, onChange, tried }: ShopPart) {
  const { colour } = draft;
  return (
    <Stack gap="md">
      <TextInput
        label={words.name}
        description={words.nameHint}
        value={draft.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
        maxLength={SHOP_LIMITS.name}
      />
      <Checkbox
        label={words.showsAddresses}
        description={words.showsAddressesHint}
        checked={draft.showsAddresses}
        onChange={(event) => onChange({ showsAddresses: event.currentTarget.checked })}
      />
      <Textarea
        label={words.address}
        description={words.addressHint}
        value={draft.addressText}
        onChange={(event) => onChange({ addressText: event.currentTarget.value })}
        rows={3}
        error={tried && isAddressTooLong(draft) ? words.addressTooLong : undefined}
      />
      <TextInput
        label={words.taxNumber}
        description={words.taxNumberHint}
        value={draft.taxNumber}
        onChange={(event) => onChange({ taxNumber: event.currentTarget.value })}
        maxLength={SHOP_LIMITS.taxNumber}
      />
      <TextInput
        label={words.closingLine}
        description={words.closingLineHint}
        value={draft.closingLine}
        onChange={(event) => onChange({ closingLine: event.currentTarget.value })}
        maxLength={SHOP_LIMITS.closingLine}
      />
      <div className={classes.colour}>
        <TextInput
          type="color"
          label={words.colour}
          description={words.colourHint}
          value={colour ?? BRAND}
          onChange={(event) => onChange({ colour: event.currentTarget.value })}
        />
        {colour !== null && (
          <Button variant="subtle" color="gray" onClick={() => onChange({ colour: null })}>
            {words.colourNone}
          </Button>
        )}
      </div>
    </Stack>
  );
}
