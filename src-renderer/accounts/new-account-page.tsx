import { useNavigate } from '@tanstack/react-router';
import { messages } from '../../src-shared/words/console/messages.ts';
import { AccountForm } from '../components/forms/account-form.tsx';
import { Card } from '../components/page/card.tsx';
import { Page } from '../components/page/page.tsx';

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
