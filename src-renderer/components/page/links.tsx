import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';
import { useMay } from '../../transport/you.ts';
import { mayOpen } from '../sections/addresses.ts';

type Plain<P> = P & Omit<ComponentPropsWithRef<'a'>, keyof P>;

/** It is not shown to whom the page behind it says that it is not for them. */
function LinkButton(props: Plain<ButtonProps>) {
  const isForYou = useMay(mayOpen(props.href ?? ''));
  return isForYou ? <Button component="a" {...props} /> : null;
}

/** Typed links of the router in the looks of Mantine. */
export const AnchorLink = createLink((props: Plain<AnchorProps>) => <Anchor {...props} />);
export const ButtonLink = createLink(LinkButton);
/** A link that looks like nothing by itself, for whole rows. */
export const PlainLink = createLink((props: ComponentPropsWithRef<'a'>) => <a {...props} />);
