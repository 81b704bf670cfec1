import { ActionIcon } from '@mantine/core';
import type { ReactNode } from 'react';

interface HeadButtonProps {
  label: string;
  isOn: boolean;
  onClick: () => void;
  icon: ReactNode;
  className?: string | undefined;
}

/** A button in the till's head that switches something on and off. */
export const HeadButton = ({ label, isOn, onClick, icon, className }: HeadButtonProps) => (
  <ActionIcon {...{ className, variant: 'subtle', color: 'gray', size: 48, onClick }} aria-label={label} title={label} aria-pressed={isOn}>
    {icon}
  </ActionIcon>
);
