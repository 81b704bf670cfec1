import { useDirection } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { Outlet, useLocation } from '@tanstack/react-router';
import { mayOpen } from '../components/sections/addresses.ts';
import { useMay } from '../transport/you.ts';
import { NotYours } from './not-yours.tsx';
import classes from './notifications.module.css';

const OUTSIDE_DESK = /^\/(welcome|restore|till)(\/|$)/;

/** The parts that every address has. Notifications live inside the router, because they may contain links. */
export function Frame() {
  const { pathname } = useLocation();
  const { dir } = useDirection();
  const may = mayOpen(pathname);
  // The desk says so within its own frame.
  const isOpen = useMay(may) || !OUTSIDE_DESK.test(pathname);
  return (
    <>
      <Notifications position={dir === 'rtl' ? 'bottom-left' : 'bottom-right'} limit={3} classNames={classes} />
      {isOpen ? <Outlet /> : <NotYours may={may} />}
    </>
  );
}
