import { Button, FileButton, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { MOST_LOGO_BYTES } from '../../../src-shared/shop/shop-limits.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { Failure } from '../../components/page/failure.tsx';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';
import classes from './shop.module.css';

const words = messages.shop.logo;
const TYPES = 'image/png,image/jpeg,image/webp';

/** The shop's logo. A choice is saved at once. @param logo a data URL */
export function LogoField({ logo }: { logo: string | null }) {
  const report = useReporting();
  const set = useMutation(
    queries.shop.setLogo.mutationOptions({ onSuccess: () => report.done(words.saved, 'settings'), onError: report.failed }),
  );
  const remove = useMutation(
    queries.shop.removeLogo.mutationOptions({ onSuccess: () => report.done(words.removed, 'settings'), onError: report.failed }),
  );
  const send = async (file: File | null) => {
    if (file === null) return;
    // The node refuses what is no picture, or too large. So large a file need not be read for that.
    const bytes = new Uint8Array(await file.slice(0, MOST_LOGO_BYTES).arrayBuffer());
    set.mutate({ data: file.size > MOST_LOGO_BYTES ? TOO_LARGE : btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')) });
  };
  return (
    <fieldset className={classes.group}>
      <legend>{words.title}</legend>
      <div className={classes.logo}>
        {logo !== null && <img src={logo} alt={words.alt} className={classes.picture} />}
        <FileButton onChange={send} accept={TYPES}>
          {(button) => (
            <Button {...button} variant="default" loading={set.isPending}>
              {logo === null ? words.choose : words.replace}
            </Button>
          )}
        </FileButton>
        {logo !== null && (
          <Button variant="subtle" color="gray" onClick={() => remove.mutate({})} loading={remove.isPending}>
            {words.remove}
          </Button>
        )}
      </div>
      <Text size="sm" c="dimmed" mt={4}>
        {words.hint}
      </Text>
      <Failure error={set.error ?? remove.error} />
    </fieldset>
  );
}

/** Base64 of what is no picture, in place of a file that is too large. */
const TOO_LARGE = 'AAAA';
