import { Button, FileButton, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { blackDots, type LogoDots } from '../../../src-shared/shop/logo-dots.ts';
import { MOST_LOGO_BYTES } from '../../../src-shared/shop/shop-limits.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { Failure } from '../../components/page/failure.tsx';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';
import { dottedPicture } from './dotted-picture.ts';
import classes from './shop.module.css';

const words = messages.shop.logo;
const TYPES = 'image/png,image/jpeg,image/webp';

/** The shop's logo, and what receipt printers make of it. A choice is saved at once. @param logo a data URL */
export function LogoField({ logo, dots }: { logo: string | null; dots: LogoDots | null }) {
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
    if (file.size > MOST_LOGO_BYTES) return set.mutate({ data: TOO_LARGE });
    const onPrinter = await dottedPicture(file);
    set.mutate({ data: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')), ...(onPrinter && { dots: onPrinter }) });
  };
  return (
    <fieldset className={classes.group}>
      <legend>{words.title}</legend>
      {logo !== null && (
        <div className={classes.logo}>
          <img src={logo} alt={words.alt} className={classes.picture} />
          {dots !== null && <Dots dots={dots} />}
        </div>
      )}
      <div className={classes.logo}>
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

/** A logo as a receipt printer prints it. */
function Dots({ dots }: { dots: LogoDots }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    const picture = context.createImageData(dots.width, dots.height);
    for (const [dot, isBlack] of blackDots(dots).entries()) picture.data[4 * dot + 3] = isBlack ? 255 : 0;
    context.putImageData(picture, 0, 0);
  }, [dots]);
  return (
    <figure className={classes.dots}>
      <canvas ref={canvas} width={dots.width} height={dots.height} aria-hidden />
      <figcaption>{words.onPrinter}</figcaption>
    </figure>
  );
}
