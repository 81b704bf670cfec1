import { useNavigate } from '@tanstack/react-router';
import { Card } from '../components/card.tsx';
import { Page } from '../components/page.tsx';
import { messages } from '../messages.ts';
import { AccountForm } from './account-form.tsx';

export function NewAccountPage() {
  const navigate = useNavigate();
  return (
    <Page up="/accounts" title={messages.accounts.addTitle} lead={messages.welcome.recordsMoney} width="reading">
      <Card>
        <AccountForm action={messages.welcome.create} onCreated={({ id }) => void navigate({ to: '/accounts/$id', params: { id } })} />
      </Card>
    </Page>
  );
}
