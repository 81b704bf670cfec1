import { useDirection } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { Outlet } from '@tanstack/react-router';
import classes from './notifications.module.css';

/** The parts that every address has. Notifications live inside the router, because they may contain links. */
export function Frame() {
  const { dir } = useDirection();
  return (
    <>
      <Notifications position={dir === 'rtl' ? 'bottom-left' : 'bottom-right'} limit={3} classNames={classes} />
      <Outlet />
    </>
  );
}
