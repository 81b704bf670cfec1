import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type Plain<P> = P & Omit<ComponentPropsWithRef<'a'>, keyof P>;

/** Typed links of the router in the looks of Mantine. */
export const AnchorLink = createLink((props: Plain<AnchorProps>) => <Anchor {...props} />);
export const ButtonLink = createLink((props: Plain<ButtonProps>) => <Button component="a" {...props} />);
/** A link that looks like nothing by itself, for whole rows. */
export const PlainLink = createLink((props: ComponentPropsWithRef<'a'>) => <a {...props} />);
