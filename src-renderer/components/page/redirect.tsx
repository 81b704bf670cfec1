import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';

/** Goes elsewhere once, however often it is rendered until the other screen's code has come. */
export function Redirect({ to }: { to: '/' | '/welcome' }) {
  const navigate = useNavigate();
  useEffect(() => void navigate({ to, replace: true }), [navigate, to]);
  return null;
}
