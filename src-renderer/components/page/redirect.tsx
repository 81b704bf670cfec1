import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';

/** Goes to another screen once, however often it is rendered until that screen's code has come. */
export function Redirect({ to }: { to: '/' | '/welcome' | '/get-paid' }) {
  const navigate = useNavigate();
  useEffect(() => void navigate({ to, replace: true }), [navigate, to]);
  return null;
}
